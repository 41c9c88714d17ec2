import Foundation
import PassSigning
import Testing

@Suite("Random files have the rows that Python's csv and json modules read")
struct GeneratedRowsTests {
    private struct Expected: Decodable {
        let line: Int
        let values: [String: String]?
    }

    @Test(
        "however the buffer splits them", .enabled(if: PythonScript.isHere, "python3 is missing"),
        arguments: [("csv", "csv"), ("jsonl", "jsonl")], 1...8)
    func rows(kind: (name: String, ending: String), seed: Int) throws {
        try compare(kind.name, seed, ending: kind.ending, buffers: [256 << 10] + Array(3...40))
    }

    @Test(
        "CSV of random characters is read alike up to the first error",
        .enabled(if: PythonScript.isHere, "python3 is missing"), arguments: 1...60)
    func soup(seed: Int) throws {
        try compare("soup", seed, ending: "csv", buffers: [3, 5])
    }

    private func compare(_ kind: String, _ seed: Int, ending: String, buffers: [Int]) throws {
        let folder = try TestFolder()
        defer { withExtendedLifetime(folder) {} }
        let file = folder.url.appendingPathComponent("rows.\(ending)")
        let answer = try PythonScript(path: "Rows/generate_rows.py").run(kind, "\(seed)", file.path)
        let expected = try JSONDecoder().decode([Expected].self, from: answer)
        for buffer in buffers {
            var limits = RowLimits()
            limits.buffer = buffer
            let found = try RowFile(contentsOf: file).entries(limits: limits)
            // Python stops at an error.
            #expect(kind == "soup" ? found.count >= expected.count : found.count == expected.count)
            for (found, expected) in zip(found, expected) {
                #expect(found.line == expected.line, "buffer \(buffer)")
                #expect(found.values == expected.values, "line \(found.line), buffer \(buffer)")
            }
        }
    }
}
