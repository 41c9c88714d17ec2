import Glibc
import PassDetection
import Testing

@testable import PassLinks

@Suite("All links to passes in a mail are found, and no others")
struct LinkFinderTests {
    @Test("in plain text", arguments: LinkRow.plain) func plainText(row: LinkRow) {
        row.check()
    }

    @Test("in HTML", arguments: LinkRow.html) func html(row: LinkRow) {
        row.check()
    }

    @Test("in iCalendar and vCard", arguments: LinkRow.calendar) func calendar(row: LinkRow) {
        row.check()
    }

    @Test("each URL is reported once, in the order of the text")
    func once() {
        let text =
            "https://x.example/b.pkpass https://x.example/a.pkpass https://x.example/b.pkpass"
        #expect(
            found(text).map(\.url) == ["https://x.example/b.pkpass", "https://x.example/a.pkpass"])
    }

    @Test("of any type, data URLs with a ZIP archive; other links only if they are wanted")
    func archives() {
        let zip = "data:application/octet-stream;base64,UEsDBBQAAAAI"
        let text =
            "https://x.example/a.pkpass \(zip) data:;base64,U data:,PK%03%04 data:image/png,PNG"
        for size in [1, text.utf8.count] {
            var finder = LinkFinder(isHTML: false, types: .builtIn, onlyData: true)
            let bytes = Array(text.utf8)
            for start in stride(from: 0, to: bytes.count, by: size) {
                finder.feed(bytes.span.extracting(start..<min(start + size, bytes.count)))
            }
            finder.finish()
            #expect(finder.links.map(\.url) == [zip, "data:,PK%03%04"])
            #expect(finder.links.allSatisfy { $0.evidence == .content })
        }
    }

    @Test(
        "a data URL is reported by its beginning and size; two with the same beginning are distinct"
    )
    func dataURLs() {
        let head = "data:application/vnd.apple.pkpass;base64,"
        let passes = ["A", "B"].map {
            head + String(repeating: "UEsDBBQAAAAI", count: 200_000) + $0
        }
        let text = passes.map { "<a href=\"\($0)\">" }.joined() + "<img src='\(passes[0])'>"
        let links = found(text, isHTML: true)
        #expect(links.count == 2)
        for (link, pass) in zip(links, passes) {
            #expect(link.url == pass.prefix(256))
            #expect(link.size == pass.utf8.count)
            #expect(link.evidence == .mediaType)
        }
    }

    @Test(
        "a data URL in plain text continues after full lines of base64 only",
        arguments: ["\n", "\r\n", "\r", "\n    ", " \n"])
    func dividedDataURLs(lineEnd: String) {
        let head = "data:application/vnd.apple.pkpass;base64,"
        let line = String(repeating: "UEsDBBQA", count: 8)
        let full = head + line + line
        let divided = [head + line, line].joined(separator: lineEnd)
        let alone = [head, line, line].joined(separator: lineEnd)
        let rows = [
            (divided + lineEnd + "AAA=", full + "AAA="), (alone, full), (divided + " x", full),
            (divided + lineEnd + "AAAAAAA8", full + "AAAAAAA8"),
            (divided + lineEnd + "AAA=" + lineEnd + line, full + "AAA="),
            (divided + lineEnd + "AAA" + lineEnd + line, full), (alone + lineEnd + "A B", full),
            (divided + lineEnd + "A6" + lineEnd + line, full + "A6"),
            (divided + lineEnd + "Regards", full), (divided + lineEnd + "Best,", full),
            (divided + lineEnd + lineEnd + line, full), ("(\(divided))" + lineEnd + line, full),
            (head + "UEsDBB" + lineEnd + line, head + "UEsDBB\(line)"),
            ("data:;base64,UEsDBB" + lineEnd + line, "data:;base64,UEsDBB"),
            (
                head.replacing(";base64", with: "") + line + lineEnd + line,
                head.replacing(";base64", with: "") + line
            ),
        ]
        for (text, url) in rows {
            #expect(found("Ticket: " + text + lineEnd).map(\.url) == [url], "\(text)")
        }
    }

    @Test("a URL may be as long as the limit, a longer one is marked as truncated")
    func longURL() {
        var limits = LinkLimits()
        limits.url = 100
        let tail = "/a.pkpass"
        for (count, isFound) in [(100, true), (101, false)] {
            let start = "https://x.example/"
            let middle = String(repeating: "x", count: count - start.utf8.count - tail.utf8.count)
            for text in ["\(start)\(middle)\(tail)", "see \(start)\(middle)\(tail) there"] {
                var finder = LinkFinder(isHTML: false, types: .builtIn, limits: limits)
                finder.feed(Array((text + " https://x.example/b.pkpass").utf8).span)
                finder.finish()
                #expect(finder.links.count == (isFound ? 2 : 1))
                #expect(finder.hasLongURL == !isFound)
            }
        }
        // The beginning of the URL identifies a server of passes.
        let text = "https://x.example/a.pkpass?" + String(repeating: "x", count: 200)
        var finder = LinkFinder(isHTML: false, types: .builtIn, limits: limits)
        finder.feed(Array(text.utf8).span)
        finder.finish()
        #expect(
            finder.links == [
                Link(url: String(text.prefix(100)), size: 227, evidence: .fileExtension)
            ])
    }

    @Test("links are counted up to the limit")
    func manyLinks() {
        var limits = LinkLimits()
        limits.links = 10
        for count in [10, 11] {
            let text = (0..<count).map { "https://x.example/\($0).pkpass\n" }.joined()
            var finder = LinkFinder(isHTML: false, types: .builtIn, limits: limits)
            finder.feed(Array(text.utf8).span)
            finder.finish()
            #expect(finder.links.count == 10)
            #expect(finder.hasMore == (count > 10))
        }
    }

    @Test("references to URLs below are counted up to the limit")
    func manyReferences() {
        var limits = LinkLimits()
        limits.links = 10
        for count in [10, 11] {
            let text = (0..<count).map { "[Add to Apple Wallet][\($0)]\n" }.joined()
            var finder = LinkFinder(isHTML: false, types: .builtIn, limits: limits)
            finder.feed(Array(text.utf8).span)
            finder.finish()
            #expect(finder.links.isEmpty)
            #expect(finder.hasMore == (count > 10))
        }
    }

    @Test("pass types that an app declares count in links too")
    func types() {
        let voucher = UniformType(
            identifier: "com.example.voucher", conformsTo: ["com.apple.pkpass"],
            fileExtensions: ["voucher"], mediaTypes: ["application/x-voucher"])
        let text = "https://x.example/a.voucher data:application/x-voucher,x"
        #expect(found(text).isEmpty)
        #expect(found(text, types: TypeMap([voucher])).count == 2)
    }

    @Test("the result does not depend on how text is split, for all texts and limits")
    func pieces() {
        let tokens = [
            "http://", "https://", "data:", "//", "x.example/", "a.pkpass", "=\"", "='", "\"", "'",
            "<", ">", " ", "\n", "\r\n", "&amp;", "&", "&#", "x2F;", ";", "(", ")", "[", "]", ".",
            "\\/", "\\", "application/vnd.apple.pkpass,", "?u=", "%2F", "http%3A", "<URL:", "href",
            "/v1/passes/pass.x/", "add to Apple Wallet", "[w]", "[", "]", ":", "> ", "\u{A0}",
            "\u{201D}", "\u{FF09}", "ü", "UEsDBBQ", "___", "\0",
        ]
        var limits = LinkLimits()
        limits.url = 40
        limits.links = 3
        limits.dataHead = 16
        var numbers = SystemRandomNumberGenerator()
        for _ in 0..<1000 {
            let text = (0..<40).map { _ in tokens.randomElement(using: &numbers) ?? "" }.joined()
            let bytes = Array(text.utf8)
            for isHTML in [false, true] {
                let finders = [bytes.count, 1, 2, 7, 41].map { size in
                    var finder = LinkFinder(isHTML: isHTML, types: .builtIn, limits: limits)
                    for start in stride(from: 0, to: bytes.count, by: size) {
                        let end = min(start + size, bytes.count)
                        finder.feed(bytes.span.extracting(start..<end))
                    }
                    finder.finish()
                    return finder
                }
                for finder in finders.dropFirst() {
                    #expect(finder.links == finders[0].links, "\(text)")
                    #expect(finder.hasMore == finders[0].hasMore, "\(text)")
                    #expect(finder.hasLongURL == finders[0].hasLongURL, "\(text)")
                }
            }
        }
    }

    /// A ratio of 4 means linear time, 16 quadratic. Other tests run at the same time.
    @Test(
        "searching takes time in proportion to the size of the text",
        arguments: [
            "http://", "http://a", "http://a ", "<http://a\n", "<http://a\n\n", "=\"http://a ",
            "='http://a \"", "=\"//a ", "(http://a", "http://a)", "http://a/?u=", "\\/", "&", "&#",
            "&amp", "data:", "data:application/vnd.apple.pkpass,", "=\"data:application/pkpass,a",
            "http://a/%", "https://d.pslot.io/abcde ", "https://x.example/a.pkpass ",
            "http://a/?u=http%3A%2F%2F", "\u{E2}\u{80}", ":", "https:\\", "http://a_/v3/__",
            "?u=http%253A%252F%252Fa", "]", "[a][1]", "[a] [b", "\n",
            "http://a\nadd to Apple Wallet",
        ])
    func costGrowsWithSize(line: String) {
        for isHTML in [false, true] {
            // A limit would hide the time.
            var limits = LinkLimits()
            limits.url = 1 << 30
            let small = seconds(line, 30_000, isHTML, limits)
            let large = seconds(line, 120_000, isHTML, limits)
            #expect(large / max(small, 0.005) < 8, "\(small) s and \(large) s")
        }
    }

    @Test("300,000 near misses in one text take almost no time")
    func nearMisses() {
        #expect(seconds("http://", 2_100_000, true) < 10)
        #expect(seconds("http:// ", 2_400_000, false) < 10)
    }

    /// The shorter processor time of two runs, in this thread.
    private func seconds(
        _ line: String, _ size: Int, _ isHTML: Bool, _ limits: LinkLimits = LinkLimits()
    ) -> Double {
        var text: [UInt8] = []
        while text.count < size { text += Array(line.utf8) }
        var shortest = Double.infinity
        for _ in 0..<2 {
            let start = threadSeconds()
            var finder = LinkFinder(isHTML: isHTML, types: .builtIn, limits: limits)
            finder.feed(text.span)
            finder.finish()
            shortest = min(shortest, threadSeconds() - start)
        }
        return shortest
    }
}

private func threadSeconds() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// The links of a text that arrives in chunks of a given size.
func found(
    _ text: String, isHTML: Bool = false, isCalendar: Bool = false, types: TypeMap = .builtIn,
    pieces size: Int? = nil
) -> [Link] {
    let bytes = Array(text.utf8)
    var finder = LinkFinder(isHTML: isHTML, isFolded: isCalendar, types: types)
    for start in stride(from: 0, to: bytes.count, by: size ?? max(bytes.count, 1)) {
        let end = min(start + (size ?? bytes.count), bytes.count)
        finder.feed(bytes.span.extracting(start..<end))
    }
    finder.finish()
    return finder.links
}
