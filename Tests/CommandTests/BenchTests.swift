import Foundation
import Testing

/// What `make bench` measures, made small; nothing here is timed.
@Suite("The bench makes the same mail each time, and knows how many passes are in it")
struct BenchTests {
    private static let options = [
        "--make", "--only", "mbox", "--only", "Maildir", "--only", "message", "--only", "60 KB",
        "--megabytes", "1", "--messages", "40", "--message-megabytes", "1", "--interval", "3",
    ]
    private let home: Home

    init() throws {
        home = try Home(named: "bench")
    }

    @Test("the same bytes for the same seed, and others for another")
    func deterministic() throws {
        defer { home.remove() }
        try make(in: "one")
        try make(in: "two")
        try make(in: "other", ["--seed", "2"])
        let pieces = try contents(of: "one").keys.sorted()
        #expect(pieces.count > 5)
        for piece in pieces {
            let (one, two) = (try digest(of: piece, in: "one"), try digest(of: piece, in: "two"))
            #expect(one == two, "\(piece)")
            // The pass alone comes from the samples as it is.
            #expect(try digest(of: piece, in: "other") != one || piece.hasSuffix(".pkpass"), "\(piece)")
        }
    }

    @Test("a scan finds every pass, in each of the forms")
    func found() throws {
        defer { home.remove() }
        try make(in: "bench")
        let program = Program(home: home)
        let root = Sample.folder.appendingPathComponent("authority/root.pem").path
        var most = 0
        for (piece, made) in try contents(of: "bench") {
            let result = try program.run(
                ["scan", "--json", "--trust-root", root, home.path("bench/\(piece)")])
            let summary = try #require(result.records.last)
            #expect(summary["candidates"] as? Int == made.passes, "\(piece)")
            #expect(summary["trusted"] as? Int == made.passes, "\(piece)")
            #expect(summary["problems"] as? Int == 0, "\(piece)")
            #expect(made.messages == 0 || summary["messages"] as? Int == made.messages, "\(piece)")
            most = max(most, made.passes)
        }
        #expect(most > 12)
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

    /// Of all its files, and their names.
    private func digest(of piece: String, in folder: String) throws -> String {
        let line = "cd \(folder) && find \(piece) -type f | sort | xargs -d '\\n' sha256sum"
        return try Program(home: home).shell(line).output
    }
}
