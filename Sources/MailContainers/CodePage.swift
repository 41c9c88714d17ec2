/// The Windows code pages for 8-bit text.
enum CodePage {
    /// The charset name of a code page for `Charset`; empty if there is none.
    static func charset(_ number: Int) -> String {
        switch number {
        // CP_ACP and similar: the default of the sender's computer.
        case 0...3: ""
        case 10000: "macintosh"
        case 20127: "us-ascii"
        case 20866: "koi8-r"
        case 21866: "koi8-u"
        case 20932, 51932: "euc-jp"
        case 20936, 51936: "gb2312"
        case 28591...28606: "iso-8859-\(number - 28590)"
        case 50220...50222: "iso-2022-jp"
        case 50225: "iso-2022-kr"
        case 51949: "euc-kr"
        case 54936: "gb18030"
        case 65001: "utf-8"
        default: "cp\(number)"
        }
    }
}
