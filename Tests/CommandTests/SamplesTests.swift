import Foundation
import Testing

/// Each sample stands beside the records that it must give; `Samples/README.md` says how to read them.
@Suite("Every sample gives the records beside it", .enabled(if: !Sample.all.isEmpty))
struct SamplesTests {
    @Test("record by record", arguments: Sample.all)
    func records(sample: Sample) throws {
        try check(sample, sample.options, sample.expected)
    }

    @Test("and without --links all but the links", arguments: Sample.all.filter(\.hasLinks))
    func recordsWithoutLinks(sample: Sample) throws {
        try check(sample, [], sample.expected.filter { $0.value["record"] as? String != "link" })
    }

    private func check(_ sample: Sample, _ options: [String], _ expected: [Record]) throws {
        let home = try Home()
        defer { home.remove() }
        let root = Sample.folder.appendingPathComponent("authority/root.pem").path
        let arguments =
            ["scan", "--json", "--trust-root", root] + options + [sample.file.path]
        let result = try Program(home: home).run(arguments)
        #expect(result.errors.isEmpty == !expected.contains { $0.isProblem })

        let found = result.records.dropLast().map(Record.init)
        try #require(found.count == expected.count, "\(result.output)")
        for (found, expected) in zip(found, expected) {
            for difference in expected.differences(from: found, in: sample.file) {
                Issue.record("\(difference) in \(found.value)")
            }
        }
        let problems = expected.contains { $0.isProblem }
        #expect(result.status == (problems ? 2 : expected.isEmpty ? 1 : 0))
    }
}

/// A file or a folder, and what it must give.
struct Sample: Sendable, CustomTestStringConvertible {
    let file: URL
    let expected: [Record]

    static let folder = Program.package.appendingPathComponent("Samples")

    static let all: [Sample] = {
        let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap {
            $0 as? String
        }
        return (files ?? []).filter { $0.hasSuffix(".expected") }.sorted().map { name in
            let text = try? String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            return Sample(
                file: folder.appendingPathComponent(String(name.dropLast(9))),
                expected: (text ?? "").split(separator: "\n").map { Record(String($0)) })
        }
    }()

    var testDescription: String { String(file.path.dropFirst(Sample.folder.path.count + 1)) }

    /// Whether it is one of links, and to be scanned for them.
    var hasLinks: Bool { testDescription.hasPrefix("links/") }

    /// What else it is scanned with: what the sample's app declares, where it has one.
    var options: [String] {
        let list = file.deletingPathExtension().appendingPathExtension("plist").path
        return (hasLinks ? ["--links"] : [])
            + (FileManager.default.fileExists(atPath: list) ? ["--types", list] : [])
    }
}

/// A record, as it is expected or as it was printed.
struct Record: Sendable {
    /// JSON, so that it can be sent.
    let line: String

    init(_ line: String) {
        self.line = line
    }

    init(_ value: [String: Any]) {
        let data = (try? JSONSerialization.data(withJSONObject: value)) ?? Data()
        line = String(decoding: data, as: UTF8.self)
    }

    var value: [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any] ?? [:]
    }

    var isProblem: Bool { value["record"] as? String == "problem" }

    /// What is expected and was not found.
    func differences(from found: Record, in file: URL) -> [String] {
        let actual = found.value
        var differences = value.compactMap { key, expected -> String? in
            switch key {
            case "reasons":
                // Two reasons may have one code.
                return Set(codes(actual[key])) == Set(expected as? [String] ?? [])
                    ? nil : "reasons \(expected)"
            case "notes":
                return Set(expected as? [String] ?? []).isSubset(of: codes(actual[key]))
                    ? nil : "notes \(expected)"
            case "source":
                let source = file.appendingPathComponent(expected as? String ?? "").path
                return actual[key] as? String == source ? nil : "source \(source)"
            case "message":
                let message = actual[key] as? [String: Any] ?? [:]
                let wrong = (expected as? [String: Any] ?? [:]).filter { !equal(message[$0], $1) }
                return wrong.isEmpty ? nil : "message \(wrong)"
            default:
                return equal(actual[key], expected) ? nil : "\(key) \(expected)"
            }
        }
        if !isProblem, found.isProblem { differences.append("a problem") }
        return differences
    }

    private func codes(_ findings: Any?) -> [String] {
        (findings as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
    }

    private func equal(_ left: Any?, _ right: Any?) -> Bool {
        json(left) == json(right)
    }

    private func json(_ value: Any?) -> Data? {
        try? JSONSerialization.data(withJSONObject: [value ?? NSNull()], options: .sortedKeys)
    }
}
