import Bytes
package import MailSource

extension PartHeader {
    /// What the names and media types say about the content.
    package var contentHint: ContentKind.Hint {
        var hint = ContentKind.Hint(rawValue: 0)
        if isMessage { hint.insert(.isMail) }
        for name in names {
            if PartHeader.isNameOfMail(name) { hint.insert(.isMail) }
            if let format = PartHeader.unreadFormat(name) { hint.insert(format) }
            if PartHeader.isNameOfJSON(name) { hint.insert(.isJSON) }
        }
        return hint
    }

    /// The format that is not read, by the extension of a file name.
    private static func unreadFormat(_ name: String) -> ContentKind.Hint? {
        let bytes = name.utf8.span
        guard let word = bytes.fileExtension(in: bytes.indices) else { return nil }
        if bytes.equals(caseInsensitive: "icloud", in: word) {
            return bytes.hasPrefix(".", at: 0) ? .isPlaceholder : nil
        }
        return unreadExtensions.first { bytes.equals(caseInsensitive: $0.name, in: word) }?.hint
    }

    private static let unreadExtensions: [(name: StaticString, hint: ContentKind.Hint)] = [
        ("pfile", .isProtected), ("rpmsg", .isProtected), ("nsf", .isNotes), ("tbb", .isTheBat),
        ("pmm", .isPegasus),
    ]

    private static func isNameOfJSON(_ name: String) -> Bool {
        let bytes = name.utf8.span
        guard let word = bytes.fileExtension(in: bytes.indices) else { return false }
        return jsonExtensions.contains { bytes.equals(caseInsensitive: $0, in: word) }
    }

    private static let jsonExtensions: [StaticString] = ["json", "jsonl", "ndjson"]

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
