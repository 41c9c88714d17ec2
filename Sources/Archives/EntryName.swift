internal import Bytes

/// The name of an entry, or a reference to one, such as in a manifest.
///
/// Names are compared by bytes. Swift considers canonically equivalent strings equal, such as `ü`
/// as one scalar or two; in an archive, a manifest and most file systems these are two files.
package struct EntryName: Hashable, Comparable, Sendable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package static func == (left: EntryName, right: EntryName) -> Bool {
        left.text.isExactly(right.text)
    }

    package static func < (left: EntryName, right: EntryName) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        text.hashBytes(into: &hasher)
    }
}

extension EntryName: ExpressibleByStringLiteral {
    package init(stringLiteral text: String) {
        self.text = text
    }
}
