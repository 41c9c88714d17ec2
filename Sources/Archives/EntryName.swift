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
        let (first, second) = (left.text.utf8, right.text.utf8)
        guard first.count == second.count else { return false }
        return first.elementsEqual(second)
    }

    package static func < (left: EntryName, right: EntryName) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { bytes in unsafe hasher.combine(bytes: UnsafeRawBufferPointer(bytes)) }
        // Terminates the name, so that no name is a prefix of another.
        hasher.combine(0xff as UInt8)
    }
}

extension EntryName: ExpressibleByStringLiteral {
    package init(stringLiteral text: String) {
        self.text = text
    }
}
