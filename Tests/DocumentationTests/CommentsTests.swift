import Testing

@Suite("Every public declaration has a comment, and types and functions have an example")
struct CommentsTests {
    @Test("no declaration is without a comment or a required example")
    func comments() throws {
        let report = try DocumentationScript.report("comments")
        #expect(report == "")
    }
}
