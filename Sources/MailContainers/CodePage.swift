import Bytes
import MIME
import Platform

/// The Windows code pages for 8-bit text.
enum CodePage {
    /// UTF-16 in little-endian order.
    static let utf16 = 1200

    /// The charset name of a code page for `Charset`; empty if there is none.
    static func charset(_ number: Int) -> String {
        switch number {
        // CP_ACP and similar: the default of the sender's computer.
        case 0...3: ""
        case 37: "cp037"
        case utf16: "utf-16le"
        case 1201: "utf-16be"
        case 10000: "macintosh"
        case 12000: "utf-32le"
        case 12001: "utf-32be"
        case 20127: "us-ascii"
        case 20273, 20277, 20278, 20280, 20284, 20285, 20290, 20297, 20420, 20423, 20424, 20871,
            20880, 20905:
            "ibm\(number - 20000)"
        case 20866: "koi8-r"
        case 21866: "koi8-u"
        case 20932, 51932: "euc-jp"
        case 20936, 51936: "gb2312"
        case 28591...28606: "iso-8859-\(number - 28590)"
        case 50220...50222: "iso-2022-jp"
        case 50225: "iso-2022-kr"
        case 51949: "euc-kr"
        case 54936: "gb18030"
        case 65000: "utf-7"
        case 65001: "utf-8"
        default: "cp\(number)"
        }
    }

    /// A text in which URLs can be found: as it is, unless its code page encodes ASCII characters
    /// as others; nil if such a page, or one that is unknown, cannot be converted.
    static func readable(_ text: SpooledBytes, _ number: Int) throws(FileError) -> SpooledBytes? {
        let charset = charset(number)
        if number == utf16 || number == 1201 {
            // Often declared of 8-bit text. `TextForm` recognises the text that is really UTF-16.
            return text
        }
        guard hidesASCII(number) || !charset.isEmpty && !Charset.isKnown(charset) else {
            return text
        }
        guard Charset.isKnown(charset) else {
            var isASCII = !hidesASCII(number)
            try text.forEachPiece { piece throws(FileError) in
                for index in piece.indices where piece[index] >= 0x80 { isASCII = false }
                return isASCII
            }
            return isASCII ? text : nil
        }
        var writer = OctetsWriter()
        var failure: FileError?
        try text.readText(TextForm(charset: charset)) { piece in
            do throws(FileError) {
                if failure == nil { try writer.append(piece) }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return try writer.finish()
    }

    /// Whether the page is UTF-7, UTF-32 or a form of EBCDIC.
    private static func hidesASCII(_ number: Int) -> Bool {
        switch number {
        case 37, 500, 870, 875, 1026, 1047, 1140...1149, 12000, 12001, 20273...20297, 20420, 20423,
            20424, 20833, 20838, 20871, 20880, 20905, 20924, 21025, 65000:
            true
        default: false
        }
    }
}
