import Foundation
import PassFixtures
import Testing

/// A small version of the measurements of `make bench`; nothing is timed here.
@Suite("The benchmark generates the same mail every time, and checks the passes found and signed")
struct BenchTests {
    private static let options = [
        "--make", "--only", "find lines", "--only", "read files", "--only", "message 1 MB",
        "--megabytes", "1", "--messages", "40", "--exported", "40", "--message-megabytes", "1",
        "--interval", "3",
    ]
    private let home: Home
    private let program: Program

    init() throws {
        home = try Home(named: "bench")
        program = Program(home: home)
    }

    @Test(
        "one seed always gives the same bytes, another seed different ones, and a scan finds every pass"
    )
    func mail() throws {
        defer { home.remove() }
        try make(in: "one")
        try make(in: "two")
        try make(in: "other", ["--seed", "2"])
        let root = Sample.root.path
        let pieces = try contents(of: "one")
        #expect(pieces.count == 4)
        // One of the folders contains each of the twelve forms.
        #expect(pieces.values.contains { $0.passes > 12 })
        for (piece, made) in pieces {
            let bytes = try digest(of: piece, in: "one")
            #expect(try digest(of: piece, in: "two") == bytes, "\(piece)")
            #expect(try digest(of: piece, in: "other") != bytes, "\(piece)")

            let result = try program.run(
                ["scan", "--json", "--trust-root", root, home.path("one/\(piece)")])
            let summary = try #require(result.records.last)
            #expect(summary["candidates"] as? Int == made.passes, "\(piece)")
            #expect(summary["trusted"] as? Int == made.passes, "\(piece)")
            #expect(summary["problems"] as? Int == 0, "\(piece)")
            #expect(summary["messages"] as? Int == made.messages, "\(piece)")
        }
    }

    /// openssl verifies a sample of each row, and Python compares its files with the manifest.
    @Test("passconduit, Python and openssl sign passes that openssl verifies")
    func signing() throws {
        defer { home.remove() }
        let bench = Program("passconduit-bench", home: home)
        let result = try bench.run([
            "--signatures", "20", "--runs", "1", "--only", "openssl per pass", "--only",
            "Python, cryptography", "--only", "written, 2 workers", "--folder",
            home.path("signing"), "--samples", Sample.folder.path,
        ])
        try #require(result.status == 0, "\(result.errors)")
        let report = try JSONDecoder().decode(
            Report.self, from: Data(contentsOf: URL(filePath: home.path("signing.json"))))
        #expect(report.rows.count == 3)
        for row in report.rows {
            #expect(row.problem == nil, "\(row.work)")
            #expect(row.seconds != nil && row.referenceSeconds != nil, "\(row.work)")
        }
    }

    private struct Report: Decodable {
        let rows: [Row]

        struct Row: Decodable {
            let work: String
            let problem: String?
            let seconds: Double?
            let referenceSeconds: Double?
        }
    }

    private struct Contents: Decodable {
        let pieces: [String: Made]

        struct Made: Decodable {
            let messages: Int
            let passes: Int
        }
    }

    private func make(in folder: String, _ more: [String] = []) throws {
        let bench = Program("passconduit-bench", home: home)
        let places = [
            "--folder", home.path(folder), "--samples", Sample.folder.path,
        ]
        let result = try bench.run(BenchTests.options + places + more)
        try #require(result.status == 0, "\(result.errors)")
    }

    private func contents(of folder: String) throws -> [String: Contents.Made] {
        let record = try Data(contentsOf: URL(filePath: home.path("\(folder)/contents.json")))
        return try JSONDecoder().decode(Contents.self, from: record).pieces
    }

    /// The digest of all files and their names.
    private func digest(of piece: String, in folder: String) throws -> String {
        let line = "cd \(folder) && find \(piece) -type f | sort | xargs -d '\\n' sha256sum"
        return try program.shell(line).output
    }
}
