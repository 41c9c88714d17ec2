import Bytes
package import MailSource

extension PartHeader {
    /// What the names and media types say about the content.
    package var contentHint: ContentKind.Hint {
        var hint: ContentKind.Hint = isMessage ? .isMail : []
        for name in names {
            if PartHeader.isNameOfMail(name) { hint.insert(.isMail) }
            hint.formUnion(PartHeader.unreadFormat(name))
        }
        return hint
    }

    /// The format that is not read, by the extension of a file name.
    private static func unreadFormat(_ name: String) -> ContentKind.Hint {
        let name = name.utf8
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return [] }
        let last = name[name.index(after: dot)...].lazy.map(\.asciiLowercased)
        if last.elementsEqual("icloud".utf8) {
            return name.first == UInt8(ascii: ".") ? .isPlaceholder : []
        }
        return unreadExtensions.first { last.elementsEqual($0.name) }?.hint ?? []
    }

    private static let unreadExtensions: [(name: String.UTF8View, hint: ContentKind.Hint)] = [
        ("pfile".utf8, .isProtected), ("rpmsg".utf8, .isProtected), ("nsf".utf8, .isNotes),
        ("tbb".utf8, .isTheBat), ("pmm".utf8, .isPegasus),
    ]

    /// Whether a file name is that of a message, a mailbox or an encoded file, perhaps compressed.
    package static func isNameOfMail(_ name: String) -> Bool {
        var words = name.utf8.map(\.asciiLowercased).split(
            separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        if let last = words.last, compressedExtensions.contains(where: last.elementsEqual) {
            words.removeLast()
        }
        guard words.count > 1, let last = words.last else { return false }
        // A Cyrus spool names messages `7.`.
        if last.isEmpty {
            return words.count == 2 && !words[0].isEmpty && words[0].allSatisfy(\.isASCIIDigit)
        }
        return mailExtensions.contains(where: last.elementsEqual)
    }

    private static let mailExtensions: [String.UTF8View] = [
        "eml", "emlx", "msg", "mbox", "mbs", "mht", "mhtml", "nws", "mim", "mime", "email",
        "rfc822", "olk15msgsource", "b64", "base64", "uue", "uu", "yenc",
    ].map(\.utf8)
    private static let compressedExtensions: [String.UTF8View] = [
        "gz", "bz2", "xz", "zst",
    ].map(\.utf8)
}
