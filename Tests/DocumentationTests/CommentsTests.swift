import Testing

@Suite("Every public declaration has a comment")
struct CommentsTests {
    @Test("no declaration is without a comment")
    func comments() throws {
        let report = try DocumentationScript.report("comments")
        #expect(report == "")
    }
}
