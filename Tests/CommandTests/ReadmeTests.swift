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
