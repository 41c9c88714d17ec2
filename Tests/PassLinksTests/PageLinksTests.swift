import Bytes
import Foundation
import PassDetection
import Testing

@testable import PassLinks

@Suite("Links to passes in a web page are found, including relative ones")
struct PageLinksTests {
    @Test(
        "in each form that pages use",
        arguments: [
            ("<a href=\"ticket.pkpass\">", ["extension t/ticket.pkpass"]),
            ("<A HREF='../a.PKPASS?x=1&amp;y=2#z'>", ["extension a.PKPASS?x=1&y=2"]),
            ("<a href=get download=ticket.pkpass>x</a>", ["extension t/get"]),
            ("<a href=/get type='Application/vnd.apple.pkpass; x=y'>", ["mime get"]),
            ("<link rel=alternate type=application/vnd.apple.pkpass href=p>", ["mime t/p"]),
            ("<object data=a.pkpass>", ["extension t/a.pkpass"]),
            ("<iframe src='/a.pkpass'></iframe>", ["extension a.pkpass"]),
            ("<form action='/a.pkpass'>", ["extension a.pkpass"]),
            ("<button data-url='/a.pkpass'>Get it</button>", ["extension a.pkpass"]),
            ("<div data-name='a.pkpass' data-x='./b.pkpass'>", ["extension t/b.pkpass"]),
            ("<a href='/w/1'><img src='/i/US_Add_to_Apple_Wallet_RGB.svg'></a>", ["label w/1"]),
            ("<a href='/w/1'><img alt='Zu Apple Wallet hinzuf&uuml;gen'></a>", ["label w/1"]),
            ("<a href='/w/1'><picture><img class=add-to-wallet></picture></a>", ["label w/1"]),
            ("<a class=apple-wallet href='/w/1'>Add</a>", ["label w/1"]),
            ("<a href='/w/1'>Add to Apple<br>Wallet</a>", ["label w/1"]),
            ("<button formaction='/w/1'>Add to Apple Wallet</button>", ["label w/1"]),
            ("<map><area href=w alt='Apple Wallet'><area href=v></map>", ["label t/w"]),
            ("<a href='/w/1'>Add to Google Wallet</a>", []),
            ("<a href='/w/1'>Your wallet</a> Add to Apple Wallet", []),
            ("<a href='https://support.apple.com/1'>What Apple Wallet is</a>", []),
            ("<a href='javascript:go(\"a.pkpass\")'>Apple Wallet</a>", []),
            ("<a href='mailto:a@x.example?subject=a.pkpass'>Apple Wallet</a>", []),
            ("<a href='#a.pkpass'>Apple Wallet</a><a href=''>Apple Wallet</a>", []),
            ("<!-- <a href=a.pkpass> --><script>'<a href=a.pkpass>'</script>", []),
            ("<title><a href=a.pkpass></title><textarea><a href=a.pkpass></textarea>", []),
            (
                "<a href=a.pkpass><a href='./a.pkpass#x' type=application/pkpass>",
                ["extension,mime t/a.pkpass"]
            ),
            // The links that LinkFinder finds as well.
            ("See https://x.example/a.pkpass.", ["extension a.pkpass"]),
            (
                "<script>{\"u\":\"https:\\/\\/x.example\\/a.pkpass\"}</script>",
                ["extension a.pkpass"]
            ),
            ("<p>//x.example/a.pkpass</p>", []),
            ("<base href='/b/'><base href='/c/'><a href=a.pkpass>", ["extension b/a.pkpass"]),
            ("<meta http-equiv=Refresh content='0; URL=\"a.pkpass\"'>", ["extension t/a.pkpass"]),
            ("<!--><a href=a.pkpass>-->", ["extension t/a.pkpass"]),
            ("<a href=/w/1><script>u = 'a.pkpass'</script></a>", []),
            ("<a href=a.pkpass", []), ("<a href='a.pkpass>", []), ("<", []), ("<a", []), ("</", []),
        ] as [(String, [String])])
    func forms(page: String, links: [String]) throws {
        let url = try #require(WebURL("https://x.example/t/page"))
        for size in [1, 5, 1 << 20] {
            let found = PageLinks.found(page, at: url, pieces: size)
            let shown = found.links.map { link in
                "\(link.evidence.names.joined(separator: ",")) "
                    + link.url.replacing("https://x.example/", with: "")
            }
            #expect(shown == links, "in pieces of \(size)")
        }
    }

    @Test("a pass inside the page is returned in full, up to a limit")
    func data() throws {
        let url = try #require(WebURL("https://x.example/"))
        let pass =
            "data:application/vnd.apple.pkpass;base64,"
            + String(repeating: "UEsD", count: 100_000)
        let found = PageLinks.found("<a href='\(pass)'>", at: url, pieces: 1 << 20)
        #expect(found.links == [Link(url: pass, evidence: .mediaType)])
        #expect(!found.hasLongURL)
        let large = pass + String(repeating: "UEsD", count: 2 << 20)
        let cut = PageLinks.found("<a href='\(large)'>", at: url, pieces: 1 << 20)
        #expect(cut.links.isEmpty)
        #expect(cut.hasLongURL)
    }

    @Test(
        "the title of the page",
        arguments: [
            ("<title>Sign in</title>", "Sign in"),
            ("<TITLE lang=en>\n Sign &amp;\t in &eacute;</TITLE >", "Sign & in \u{E9}"),
            ("<title>a</b><c></title>", "a</b><c>"), ("<title> </title><title>b</title>", "b"),
            (
                "<title>\(String(repeating: "\u{E9}", count: 200))</title>",
                String(repeating: "\u{E9}", count: 120)
            ),
            ("<title>a", nil), ("<p>a</p>", nil), ("<title></title>", nil),
        ] as [(String, String?)])
    func title(page: String, title: String?) throws {
        let url = try #require(WebURL("https://x.example/"))
        for size in [1, 1 << 20] {
            #expect(PageLinks.found(page, at: url, pieces: size).title == title)
        }
    }

    @Test(
        "the target of a refresh",
        arguments: [
            ("0;url=a", "https://x.example/t/a"), ("5, URL = 'b c'x", "https://x.example/t/b%20c"),
            (" 3.5 ; /d", "https://x.example/d"),
            ("0;url=https://y.example/", "https://y.example/"),
            ("0; urls", "https://x.example/t/urls"), ("600", nil), ("0;url=page", nil), ("0;", nil),
            ("x;url=a", nil), ("0;url=javascript:a", nil),
        ] as [(String, String?)])
    func refresh(content: String, url: String?) throws {
        let page = try #require(WebURL("https://x.example/t/page"))
        let html = "<meta http-equiv=\"refresh\" content=\"\(content)\">"
        #expect(PageLinks.found(html, at: page).refresh == url)
    }

    private static let python = "/usr/bin/python3"

    @Test(
        "in random pages the same links as by Python's html.parser and urljoin",
        .enabled(if: FileManager.default.isExecutableFile(atPath: python), "python3 is missing"),
        arguments: [1, 2, 3])
    func randomPages(seed: Int) throws {
        let script = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().appendingPathComponent("generate_page_links.py")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.python)
        process.arguments = [script.path, "\(seed)", "1000"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        var rest = [UInt8](output.fileHandleForReading.readDataToEndOfFile())[...]
        process.waitUntilExit()

        func line() -> String {
            let line = rest.prefix { $0 != 0x0A }
            rest = rest.dropFirst(line.count + 1)
            return String(decoding: line, as: UTF8.self)
        }
        var count = 0
        var links = 0
        var header = line()
        while !header.isEmpty {
            let words = header.split(separator: " ")
            let url = try #require(WebURL(String(words[1])))
            let size = try #require(Int(words[2]))
            let page = String(decoding: rest.prefix(size), as: UTF8.self)
            rest = rest.dropFirst(size + 1)
            var expected: [String] = []
            header = line()
            while !header.isEmpty, !header.hasPrefix("page ") {
                expected.append(header)
                header = line()
            }
            for size in [1 << 20, seed] {
                let found = PageLinks.found(page, at: url, pieces: size)
                let title = found.title.map { ["title \($0)"] } ?? []
                let lines = found.links.map { link in
                    "link \(link.evidence.names.joined(separator: ",")) \(link.url)"
                }
                #expect(
                    Set(title + lines) == Set(expected), "\(url.text): \(page)")
            }
            count += 1
            links += expected.count
        }
        #expect(count == 1000)
        #expect(links > 1000)
    }
}

extension PageLinks {
    static func found(
        _ page: String, at url: WebURL, _ limits: LinkLimits = LinkLimits(), pieces: Int = 1 << 20
    ) -> PageLinks {
        var links = PageLinks(at: url, types: .builtIn, limits: limits)
        let bytes = Array(page.utf8)
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            links.feed(bytes.span.extracting(start..<min(start + pieces, bytes.count)))
        }
        links.finish()
        return links
    }
}
