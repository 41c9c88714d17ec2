import Testing

/// The accepted declarations are in `API`; `make api` accepts changes.
@Suite("The public declarations change only on purpose")
struct PublicDeclarationsTests {
    @Test("the public declarations of a library", arguments: DocumentationScript.modules)
    func declarations(module: String) throws {
        let report = try DocumentationScript.report(["api"], of: module)
        #expect(report == "")
    }
}
