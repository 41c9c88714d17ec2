package import MIME

/// The location of a finding, as in records.
package struct PartLocation: Sendable {
    package let source: String
    package var message: MessageReference?
    /// The part number, and the member of a container in it: `1.2!ticket.pkpass`.
    package private(set) var part: String
    package private(set) var declaration: Declaration
    package var header: PartHeader { declaration.header }
    /// Whether the last component of `part` is the name of a member.
    private var isMember = false

    package init(
        _ source: String, _ message: MessageReference? = nil, part: String = "",
        declared declaration: Declaration = .none
    ) {
        self.source = source
        self.message = message
        self.part = part
        self.declaration = declaration
    }

    /// The same location with what a name or media type from elsewhere declares.
    package func declared(_ declaration: Declaration) -> PartLocation {
        var location = self
        location.declaration = declaration
        return location
    }

    /// The location of a part of this message.
    package func part(_ number: String, _ declaration: Declaration) -> PartLocation {
        var location = self
        location.declaration = declaration
        location.isMember = false
        if isMember {
            location.part += number.isEmpty ? "" : "!\(number)"
        } else {
            location.part = PartLocation.number(number, within: part)
        }
        return location
    }

    /// The location of a part in this text. Alone, the text would be part 1.
    package func partOfText(_ number: String, _ declaration: Declaration) -> PartLocation {
        var location = self
        location.declaration = declaration
        location.isMember = false
        location.part += number.hasPrefix("1") ? String(number.dropFirst()) : number
        return location
    }

    /// The location of a member of this container.
    package func member(_ name: String, _ declaration: Declaration) -> PartLocation {
        var location = self
        location.part += "!\(name)"
        location.declaration = declaration
        location.isMember = true
        return location
    }

    /// The location of one of several archives after one another, counted from 1: `ticket.pkpass#2`.
    package func archive(number: Int) -> PartLocation {
        var location = self
        location.part += "#\(number)"
        return location
    }

    /// The location of a message in this message or mailbox. A message at the top level is named in
    /// records.
    package func message(_ message: MessageReference, isInMailbox: Bool) -> PartLocation {
        var location = self
        if self.message == nil {
            location.message = message
        } else if isInMailbox {
            location.part += "!\(message.index)"
            location.isMember = true
        }
        return location
    }

    /// The number of a part, prefixed with that of the outer part.
    private static func number(_ number: String, within outer: String) -> String {
        outer.isEmpty ? number : number.isEmpty ? outer : "\(outer).\(number)"
    }
}
