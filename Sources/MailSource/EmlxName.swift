import Bytes
import Glibc

/// The file name of an Apple Mail message: `12345.emlx`, or `12345.partial.emlx` if attachments
/// were removed.
struct EmlxName {
    let identifier: [UInt8]
    let isPartial: Bool

    init?(_ name: ArraySlice<UInt8>) {
        guard name.last == UInt8(ascii: "x") else { return nil }
        identifier = Array(name.prefix { $0.isASCIIDigit })
        let form = name.dropFirst(identifier.count)
        isPartial = form.elementsEqual(EmlxName.form(isPartial: true).utf8)
        guard !identifier.isEmpty,
            isPartial || form.elementsEqual(EmlxName.form(isPartial: false).utf8)
        else { return nil }
    }

    private static func form(isPartial: Bool) -> String { isPartial ? ".partial.emlx" : ".emlx" }

    /// Whether the folder has a message with this number, in the given form.
    static func isMessage(_ identifier: [UInt8], isPartial: Bool, in messages: Path) -> Bool {
        let path = messages.appending(identifier + Array(form(isPartial: isPartial).utf8))
        return path.status(followsLinks: true).map { $0.st_mode & S_IFMT == S_IFREG } ?? false
    }
}
