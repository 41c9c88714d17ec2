import Foundation
import Testing

/// The README shows what the program prints: its console blocks are run, in their order, in one home.
@Suite("The README is true")
struct ReadmeTests {
    /// A command of a console block, and the lines that it must print.
    private struct Example {
        let command: String
        var output: [String] = []
    }

    @Test("each example prints what stands below it")
    func examples() throws {
        let home = try Home()
        defer { home.remove() }
        let program = Program(home: home)
        let examples = try shown()
        #expect(examples.count >= 5)
        for example in examples {
            let command = example.command.replacing(
                "passconduit ", with: "\"$PROGRAM\" ", maxReplacements: 1)
            let result = try program.shell("cd '\(Program.package.path)' && \(command)")
            #expect(result.lines == example.output, "\(example.command): \(result.errors)")
        }
    }

    @Test("it is short, and shows pictures that are there")
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
