import Foundation
import Testing

/// Runs the console blocks of the README in order, on a terminal in one home, and compares the
/// results.
@Suite("The examples in the README work")
struct ReadmeTests {
    /// A command of a console block, and its expected output.
    private struct Example {
        let command: String
        var output: [String] = []
    }

    @Test("each example prints the output shown below it")
    func examples() throws {
        let home = try Home()
        defer { home.remove() }
        let shell = Program(
            "/bin/sh", home: home,
            environment: ["NO_COLOR": "1", "PROGRAM": Program(home: home).path])
        let examples = try shown()
        #expect(examples.count >= 5)
        for example in examples {
            let command = example.command.replacing(
                "passconduit ", with: "\"$PROGRAM\" ", maxReplacements: 1)
            // Summaries, which contain the time taken, go to standard error.
            let line = "cd '\(Program.package.path)' && { \(command); } 2> '\(home.path("errors"))'"
            let result = try shell.onTerminal(["-c", line], columns: 100)
            let lines = result.output.split(whereSeparator: \.isNewline).map(String.init)
            #expect(lines == example.output, "\(example.command): \(result.errors)")
        }
    }

    @Test("it is short, and its pictures exist")
    func pictures() throws {
        let readme = try String(
            contentsOf: Program.package.appendingPathComponent("README.md"), encoding: .utf8)
        #expect(readme.count { $0.isNewline } < 200)
        let pictures = readme.matches(of: /<img src="([^"]+)"/)
        #expect(pictures.count == 2)
        for picture in pictures {
            let file = Program.package.appendingPathComponent(String(picture.1))
            let size = try file.resourceValues(forKeys: [.fileSizeKey]).fileSize
            #expect(try #require(size) < 100_000)
        }
    }

    private func shown() throws -> [Example] {
        let readme = Program.package.appendingPathComponent("README.md")
        var examples: [Example] = []
        var isInside = false
        for line in try String(contentsOf: readme, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: true)
        {
            if line.hasPrefix("```") {
                isInside = line == "```console"
            } else if isInside, line.hasPrefix("$ ") {
                examples.append(Example(command: String(line.dropFirst(2))))
            } else if isInside, !examples.isEmpty {
                examples[examples.count - 1].output.append(String(line))
            }
        }
        return examples
    }
}
