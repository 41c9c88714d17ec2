import PassDetection
import Testing

@testable import PassLinks

@Suite("Links in a web page have limits, and exceeding one is reported")
struct PageLinksLimitsTests {
    @Test("their number, and the length of each")
    func limits() throws {
        let url = try #require(WebURL("https://x.example/"))
        var limits = LinkLimits()
        limits.links = 2
        limits.url = 100
        let page = "<a href=a.pkpass><a href=b.pkpass><a href=a.pkpass>"
        #expect(!PageLinks.found(page, at: url, limits).hasMore)
        #expect(PageLinks.found(page + "<a href=c.pkpass>", at: url, limits).hasMore)
        for (count, isLong) in [(75, false), (76, true)] {
            let name = String(repeating: "x", count: count) + ".pkpass"
            let found = PageLinks.found("<a href='\(name)'>", at: url, limits)
            #expect(found.hasLongURL == isLong)
            #expect(found.links.isEmpty == isLong)
        }
    }

    @Test("a base URL is used if it is no longer than a link may be")
    func longBase() throws {
        let url = try #require(WebURL("https://x.example/t/page"))
        var limits = LinkLimits()
        limits.url = 100
        // The lengths include `https://x.example/` before and `a.pkpass` after the base.
        for (count, base) in [(74, "long/"), (75, nil), (82, nil), (83, "")] {
            let folder = String(repeating: "x", count: count - 1) + "/"
            let found = PageLinks.found(
                "<base href='/\(folder)'><a href=a.pkpass>", at: url, limits)
            let places = [
                "long/": "https://x.example/\(folder)a.pkpass", "": "https://x.example/t/a.pkpass",
            ]
            #expect(found.links.map(\.url) == (base.flatMap { places[$0] }.map { [$0] } ?? []))
            #expect(found.hasLongURL == (base != "long/"))
        }
    }

    @Test("the total time for relative links with a long base is limited", .timeLimit(.minutes(1)))
    func manyWithBase() throws {
        let url = try #require(WebURL("https://x.example/"))
        var limits = LinkLimits()
        limits.bases = 100_000
        let base = "<base href='/\(String(repeating: "x", count: 9_980))/'>"
        let links = (0..<20).map { "<a href=\($0)>" }.joined()
        #expect(PageLinks.found(base + links + "<a href=a.pkpass>", at: url, limits).hasMore)
        #expect(PageLinks.found(base + "<a href=a.pkpass>", at: url, limits).links.count == 1)
        let many = String(repeating: "<a href=a>", count: 200_000)
        #expect(PageLinks.found(base + many, at: url, limits).hasMore)
    }

    @Test("a long value that is not a URL is not reported as a long link")
    func longValues() throws {
        let url = try #require(WebURL("https://x.example/"))
        var limits = LinkLimits()
        limits.url = 100
        let long = String(repeating: "x/", count: 100)
        for name in ["style", "data-state", "alt", "srcset"] {
            #expect(!PageLinks.found("<img \(name)='\(long)'>", at: url, limits).hasLongURL)
        }
        #expect(PageLinks.found("<a href='\(long)'>", at: url, limits).hasLongURL)
    }
}
