import Foundation
import Testing

@Suite("The examples in comments and articles compile")
struct ExamplesTests {
    @Test("the examples of all libraries compile")
    func examples() throws {
        let report = try DocumentationScript.report("examples")
        #expect(report == "")
    }

    private static let main =
        "import PassModel\n```\n\nIn main.swift:\n\n```swift\nlet text = \"\""

    @Test(
        "a mistake is reported with its line",
        arguments: [
            // Later blocks may use the declarations of earlier ones.
            ("import PassModel\n```\n\n```swift\nlet text = \"{}\"", "print(text)", ""),
            ("import PassModel\n```\n\n```swift\nlet text = \"{}\"", "print(texts)", ":9:"),
            ("import PassModel", "let pass: Pass", ""),
            // An article that names main.swift is compiled as that file.
            (main, "print(text)", ""),
            (main, "return", ":11:"),
            // Each article imports what it uses.
            ("let one = 1", "let pass: Pass", ":5:"),
        ])
    func mistakes(before: String, after: String, line: String) throws {
        let article = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).md")
        defer { try? FileManager.default.removeItem(at: article) }
        let text = "```swift\n\(before)\n```\n```swift\n\(after)\n```\n"
        try text.write(to: article, atomically: true, encoding: .utf8)
        let report = try DocumentationScript.report(
            "--module", "PassModel", "examples", article.path)
        #expect(report.isEmpty == line.isEmpty)
        #expect(line.isEmpty || report.contains("\(article.lastPathComponent)\(line)"))
    }
}
