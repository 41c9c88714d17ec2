import Testing

@Suite("Every public declaration has a comment")
struct CommentsTests {
    @Test("the public declarations of a library", arguments: DocumentationScript.modules)
    func comments(module: String) throws {
        let report = try DocumentationScript.report(["comments"], of: module)
        #expect(report == "")
    }
}
