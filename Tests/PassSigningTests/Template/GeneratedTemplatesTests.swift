import Foundation
import PassSigning
import Testing

@Suite("Random templates become the JSON that Python makes of them")
struct GeneratedTemplatesTests {
    private struct Case: Decodable {
        let template: String
        let rows: [[String: String]]
    }

    @Test(.enabled(if: PythonScript.isHere, "python3 is missing"), arguments: 1...8)
    func expansions(seed: Int) throws {
        let python = PythonScript(path: "Template/generate_templates.py")
        let cases = try JSONDecoder().decode([Case].self, from: python.run("make", "\(seed)"))
        #expect(cases.count == 50)
        var found: [String?] = []
        for each in cases {
            let template = try PassTemplate(
                PassFolder(["pass.json": Array(each.template.utf8)]))
            for row in each.rows {
                do throws(RowFault) {
                    let files = try template.files(for: TemplateRow(line: 1, row))
                    found.append(
                        files["pass.json"].flatMap { String(validating: $0, as: UTF8.self) })
                } catch {
                    found.append(nil)
                }
            }
        }
        let made = found.count { $0 != nil }
        #expect(made > 50 && found.count - made > 20)
        let folder = try TestFolder()
        defer { withExtendedLifetime(folder) {} }
        let file = try folder.write(JSONEncoder().encode(found), to: "found.json")
        let differing = try python.run("compare", "\(seed)", file.path)
        #expect(differing == Data("[]".utf8), "\(String(decoding: differing, as: UTF8.self))")
    }
}
