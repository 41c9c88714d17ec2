import Testing

/// The accepted declarations are in `API`; `make api` accepts changes.
@Suite("The public declarations change only on purpose")
struct PublicDeclarationsTests {
    @Test("the public declarations are the accepted ones")
    func declarations() throws {
        let report = try DocumentationScript.report("api")
        #expect(report == "")
    }
}
