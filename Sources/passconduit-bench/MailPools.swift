import Foundation

/// The text and data that messages are made of.
struct MailPools {
    let text: LinePool
    let quoted: LinePool
    let textInBase64: LinePool
    /// Quoted-printable.
    let html: LinePool
    let htmlInBase64: LinePool
    /// Encoded binary data.
    let base64: LinePool
    /// Lines the length of a header line.
    let tokens: [String]
    /// Base64-encoded office files.
    let documents: [[UInt8]]

    init(_ random: inout Random) {
        let lines = (0..<4000).map { index in
            if index % 97 == 0 { return ">From the station it is a short walk." }
            return index % 9 == 8 ? "" : MailPools.words(6 + random.below(7), &random)
        }
        text = LinePool(Array(lines.map { "\($0)\n" }.joined().utf8))
        textInBase64 = LinePool(TransferEncoding.base64(lines.joined(separator: "\n").utf8))
        let quotes = (0..<4000).map { index in
            let depth = String(repeating: "> ", count: 1 + index / 40 % 3)
            return depth + MailPools.words(5 + random.below(6), &random)
        }
        quoted = LinePool(Array(quotes.map { "\($0)\n" }.joined().utf8))
        let markup = (0..<6000).map { _ in MailPools.markup(&random) }
        html = LinePool(
            TransferEncoding.quotedPrintable(Array(markup.joined().utf8)) {
                (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "=")
            })
        htmlInBase64 = LinePool(TransferEncoding.base64(markup.joined(separator: "\n").utf8))
        base64 = LinePool(TransferEncoding.base64(random.bytes(40_000)))
        tokens = (0..<1000).map { _ in Data(random.bytes(6)).base64EncodedString() }
        documents = [15_000, 40_000, 90_000, 250_000].map { size in
            let media = random.bytes(size / 8)
            let files = [
                ("[Content_Types].xml", Array("<Types/>".utf8)),
                ("word/document.xml", Array("<document/>".utf8)), ("word/media/image1.png", media),
            ]
            return TransferEncoding.base64(StoredZip(files).bytes)
        }
    }

    static func words(_ count: Int, _ random: inout Random) -> String {
        (0..<count).map { _ in random.one(of: vocabulary) }.joined(separator: " ")
    }

    private static func markup(_ random: inout Random) -> String {
        switch random.below(4) {
        case 0:
            "<td class=\"c\(random.below(99))\" style=\"padding:0 \(random.below(40))px;color:#333\">"
        case 1:
            "<a href=\"https://news.example.com/c/\(String(random.next(), radix: 36))\" target=\"_blank\">"
        case 2:
            "<img src=\"https://img.example.com/\(random.next()).png\" width=\"\(random.below(600))\">"
        default: "<p>\(words(6, &random))</p></td></tr>"
        }
    }

    private static let vocabulary = """
        travel ticket hello offer the of meeting gate we see you for to a in is it that on with as \
        at be this have from or had by but some what there can out other were all your when up use \
        how said each she which their time will way about many then them would write like these \
        regards thanks please attached invoice order booking café straße naïve garçon
        """.split(separator: " ").map(String.init)
}
