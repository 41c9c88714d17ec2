import Bytes
import MIME
import PassDetection

/// Where something lies: all that a record says of it beside the verdict.
struct PartLocation {
    let source: String
    var message: MessageReference?
    /// The part of the message, and the member of a container in it: `1.2!ticket.pkpass`.
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

    /// A part of the message that this is.
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

    /// A member of the container that this is.
    func member(_ name: String, _ header: PartHeader) -> PartLocation {
        var location = self
        location.part += "!\(name)"
        location.header = header
        location.isMember = true
        return location
    }

    /// One of the messages of the mail or mailbox that this is. Where there is none around it, it is
    /// the message that records name.
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

    func problem(_ code: String, _ detail: String) -> Event {
        .problem(
            Problem(
                source: source, message: message, part: part.isEmpty ? nil : part, code: code,
                detail: detail))
    }

    /// What the system could not do.
    func failure(_ error: FileError) -> Event {
        .problem(
            Problem(
                source: source, message: message, part: part.isEmpty ? nil : part,
                code: "unreadable", detail: "\(error)", isTemporary: true))
    }

    /// What the parser of a mail in this place ran into.
    func problem(_ problem: MIMEProblem) -> Event {
        .problem(
            Problem(
                source: source, message: message, part: part.isEmpty ? nil : part,
                code: problem.code, detail: problem.detail, isTemporary: problem.isTemporary))
    }

    /// The number of a part within the part around it.
    private static func number(_ number: String, within outer: String) -> String {
        outer.isEmpty ? number : number.isEmpty ? outer : "\(outer).\(number)"
    }
}
