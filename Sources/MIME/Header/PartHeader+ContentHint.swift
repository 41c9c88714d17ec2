import Bytes
package import MailSource

extension PartHeader {
    /// What the names and media types say about the content.
    package var contentHint: ContentKind.Hint {
        if isMessage || names.contains(where: PartHeader.isNameOfMail) { return .isMail }
        return []
    }

    /// Whether a file name is that of a message, a mailbox or an encoded file, perhaps compressed.
    private static func isNameOfMail(_ name: String) -> Bool {
        var words = name.utf8.map(\.asciiLowercased).split(
            separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        if let last = words.last, compressedExtensions.contains(where: last.elementsEqual) {
            words.removeLast()
        }
        guard words.count > 1, let last = words.last else { return false }
        return mailExtensions.contains(where: last.elementsEqual)
    }

    private static let mailExtensions: [String.UTF8View] = [
        "eml", "mbox", "mht", "mhtml", "nws", "b64", "base64", "uue", "uu", "yenc",
    ].map(\.utf8)
    private static let compressedExtensions: [String.UTF8View] = [
        "gz", "bz2", "xz", "zst",
    ].map(\.utf8)
}
