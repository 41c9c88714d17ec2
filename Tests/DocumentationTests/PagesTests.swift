import Foundation
import Testing

@Suite("The pages of the libraries have no unresolved links or other mistakes")
struct PagesTests {
    @Test("the site has the pages of each library")
    func pages() throws {
        let site = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: site) }
        let report = try DocumentationScript.report("pages", site.path)
        #expect(report == "")
        for module in [
            "passmodel", "passverification", "passstore", "passsigning", "passservice",
            "passpresentation",
        ] {
            let page = site.appending(path: "documentation/\(module)/index.html")
            #expect(FileManager.default.fileExists(atPath: page.path))
        }
    }
}
