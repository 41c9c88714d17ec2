import MIME
import Platform

/// The location of a finding, as in records.
struct PartLocation {
    let source: String
    var message: MessageReference?
    /// The part number, and the member of a container in it: `1.2!ticket.pkpass`.
    var part: String
    var header: PartHeader
    /// Whether the last component of `part` is the name of a member.
    private var isMember = false

    init(_ source: String, _ message: MessageReference?, part: String, _ header: PartHeader) {
        self.source = source
        self.message = message
        self.part = part
        self.header = header
    }

    /// The location of a part of this message.
    func part(_ number: String, _ header: PartHeader) -> PartLocation {
        var location = self
        location.header = header
        location.isMember = false
        if isMember {
            location.part += number.isEmpty ? "" : "!\(number)"
        } else {
            location.part = PartLocation.number(number, within: part)
        }
        return location
    }

    /// The location of a member of this container.
    func member(_ name: String, _ header: PartHeader) -> PartLocation {
        var location = self
        location.part += "!\(name)"
        location.header = header
        location.isMember = true
        return location
    }

    /// The location of a message in this message or mailbox. A message at the top level is named in
    /// records.
    func message(_ message: MessageReference, isInMailbox: Bool) -> PartLocation {
        var location = self
        if self.message == nil {
            location.message = message
        } else if isInMailbox {
            location.part += "!\(message.index)"
            location.isMember = true
        }
        return location
    }

    func problem(_ kind: Problem.Kind) -> Event {
        .problem(
            Problem(source: source, message: message, part: part.isEmpty ? nil : part, kind))
    }

    /// A problem for a system error.
    func failure(_ error: FileError) -> Event {
        problem(.unreadable(error))
    }

    /// The number of a part, prefixed with that of the outer part.
    private static func number(_ number: String, within outer: String) -> String {
        outer.isEmpty ? number : number.isEmpty ? outer : "\(outer).\(number)"
    }
}
