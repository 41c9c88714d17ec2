import Testing

@testable import PassPresentation

@Suite("A long URL is shown by its beginning and its end")
struct AbbreviatedTests {
    @Test func url() {
        let start = "https://x.example/"
        let whole = start + String(repeating: "a", count: 200 - start.utf8.count)
        #expect(abbreviated(whole) == whole)
        let long = start + String(repeating: "a", count: 16_000) + "/ticket.pkpass"
        #expect(abbreviated(long).count == 200)
        #expect(abbreviated(long).hasPrefix("https://x.example/aaa"))
        #expect(abbreviated(long).contains("aaa...aaa"))
        #expect(abbreviated(long).hasSuffix("aaa/ticket.pkpass"))
    }

    @Test("a path is shown in full, since the user may need it")
    func path() {
        let path = "/home/ada/" + String(repeating: "a", count: 1000)
        #expect(abbreviated(path) == path)
    }
}
