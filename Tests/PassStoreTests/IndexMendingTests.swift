import Foundation
import PassModel
import PassStore
import PassVerification
import Synchronization
import Testing

@Suite("An unusable index is rebuilt from the pass files, once, and the repair is reported")
final class IndexMendingTests {
    private let scratch = Scratch()
    private let told = Told()
    private var index: URL { scratch.url.appendingPathComponent("library.sqlite") }

    /// The reports, from any thread.
    private final class Told: Sendable {
        private let all = Mutex<[LibraryFinding]>([])
        var findings: [LibraryFinding] { all.withLock { $0 } }
        var codes: [LibraryFinding.Code] { findings.map(\.code) }
        func add(_ finding: LibraryFinding) { all.withLock { $0.append(finding) } }
    }

    private func open(patience: Duration = .seconds(30)) throws -> PassLibrary {
        let told = told
        let verifier = PassVerifier()
        let mending = IndexMending {
            verifier.verify(Array($0)).verified
        } report: {
            told.add($0)
        }
        return try PassLibrary(at: scratch.url, for: .writing, patience: patience, mending: mending)
    }

    private func incoming(_ range: Range<Int>) throws -> [IncomingPass] {
        try range.map { try TestPass(serial: "\($0)").incoming(from: "/mail/\($0)") }
    }

    /// Twenty passes, of which the first was removed, so that IDs differ from those of a new index.
    private func fill() throws {
        let library = try PassLibrary(at: scratch.url, for: .writing)
        _ = try library.add(incoming(0..<20))
        try library.remove(library.pass(named: "pass.com.example.ticket/0").identity)
    }

    /// Runs Python with `path` set to the index, and `index` to a connection to it in a
    /// transaction.
    @discardableResult
    private func python(_ lines: String) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "python3", "-c",
            "import sqlite3, sys, time\npath = sys.argv[1]\n"
                + "with sqlite3.connect(path) as index:\n"
                + lines.split(separator: "\n").map { "    \($0)\n" }.joined(), index.path,
        ]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return process
    }

    /// Overwrites the first page of a table.
    private func overwrite(_ table: String) throws {
        try python(
            """
            page, = index.execute("SELECT rootpage FROM sqlite_master WHERE name = ?",
                ("\(table)",)).fetchone()
            with open(path, "r+b") as file:
                file.seek((page - 1) * 4096)
                file.write(b"\\x55" * 4096)
            """)
    }

    private func serials(_ library: PassLibrary) throws -> [Int] {
        try library.passes(limit: 100).compactMap { Int($0.serialNumber) }.sorted()
    }

    enum Damage: CaseIterable {
        case emptied, halved, allButFirst, text, gone, migrations, versions, passes, search, value
        case unfinished
    }

    private func damage(_ damage: Damage) throws {
        let size = try #require(FileManager.default.contents(atPath: index.path)).count
        switch damage {
        case .emptied: try #require(FileHandle(forUpdatingAtPath: index.path)).truncate(atOffset: 0)
        case .halved:
            try #require(FileHandle(forUpdatingAtPath: index.path))
                .truncate(atOffset: UInt64(size / 2))
        case .allButFirst:
            let file = try #require(FileHandle(forUpdatingAtPath: index.path))
            try file.seek(toOffset: 4096)
            try file.write(contentsOf: Data(repeating: 0x55, count: size - 4096))
        case .text: try Data(repeating: 0x20, count: size).write(to: index)
        case .gone: try FileManager.default.removeItem(at: index)
        case .migrations: try overwrite("grdb_migrations")
        case .versions: try overwrite("versions")
        case .passes: try overwrite("passes")
        case .search: try python("index.execute(\"UPDATE search_data SET block = x'00'\")")
        case .value: try python("index.execute(\"UPDATE versions SET verdict = 'perhaps'\")")
        case .unfinished: try Data("half".utf8).write(to: index.appendingPathExtension("new"))
        }
    }

    @Test("when it is opened or later, and the operation succeeds", arguments: Damage.allCases)
    func mended(_ damage: Damage) throws {
        try fill()
        try self.damage(damage)
        let library = try open()
        // Add a pass that exists, so that its rows are read, and a new one.
        let admissions = try library.add(incoming(19..<21))
        #expect(admissions.count == 2)
        #expect(told.codes == [damage == .search ? .wrongSearch : .damagedIndex])
        #expect(try serials(library) == Array(1..<21))
        #expect(try library.search("example", limit: 100).count == 20)
        #expect(scratch.files("passes").count == 20)
        #expect(
            try PassLibrary.check(at: scratch.url, mend: false, verify: { _ in nil }).findings == []
        )
        // The next call finds nothing to repair.
        _ = try open().add(incoming(21..<22))
        #expect(told.findings.count == 1)
        let kept = try FileManager.default.contentsOfDirectory(atPath: scratch.url.path)
            .contains("damaged")
        #expect(kept == (damage != .search))
    }

    @Test("IDs and origins are recovered as far as the old index is readable")
    func salvage() throws {
        try fill()
        let before = try PassLibrary(at: scratch.url, for: .writing).passes(limit: 100)
        try damage(.value)
        // The verdicts are invalid, but the rows with origins are intact.
        let library = try open()
        _ = try library.add(incoming(19..<21))
        let after = try library.passes(limit: 100)
        for pass in before {
            let same = try #require(after.first { $0.identity == pass.identity })
            #expect(same.id == pass.id)
            #expect(same.current.origins == pass.current.origins)
        }
        #expect(try library.pass(named: "pass.com.example.ticket/20").id == 21)
        #expect(told.findings.compactMap(\.rebuilt?.unknownOrigins) == [0])
    }

    @Test("the scan cache is kept, unless a pass is missing", arguments: [false, true])
    func notes(isMissing: Bool) throws {
        try fill()
        var library = try PassLibrary(at: scratch.url, for: .writing)
        let (source, manner) = (Data("/mail".utf8), Data("all".utf8))
        try library.keep([SourceNote(source: source, manner: manner, content: Data("1".utf8))])
        let before = try library.sourceNotes(within: source, manner: manner)
        #expect(before.map(\.content) == [Data("1".utf8)])
        if isMissing {
            let pass = try library.pass(named: "pass.com.example.ticket/5")
            try FileManager.default.removeItem(at: library.file(of: pass.current))
        }
        try damage(.value)
        library = try open()
        _ = try library.add(incoming(19..<20))
        #expect(told.codes == [.damagedIndex])
        #expect(
            try library.sourceNotes(within: source, manner: manner) == (isMissing ? [] : before))
    }

    @Test("lost origins are reported, with the path of the old index")
    func unknown() throws {
        try fill()
        try damage(.text)
        let library = try open()
        let rebuilt = try #require(told.findings.first?.rebuilt)
        #expect(rebuilt.files == 19)
        #expect(rebuilt.unknownOrigins == 19)
        let old = try #require(rebuilt.oldIndex)
        #expect(try Data(contentsOf: URL(fileURLWithPath: old)).allSatisfy { $0 == 0x20 })
        let pass = try #require(try library.passes().first)
        #expect(pass.current.origins.map(\.source) == [library.file(of: pass.current).path])
    }

    @Test("a file that the verifier rejects is moved away, and the others are kept")
    func refused() throws {
        try fill()
        let library = try PassLibrary(at: scratch.url, for: .writing)
        try Data("x".utf8).write(
            to: library.file(of: library.pass(named: "pass.com.example.ticket/5").current))
        try damage(.gone)
        #expect(try serials(open()).count == 18)
        #expect(Set(told.codes) == [.refusedFile, .damagedIndex])
        #expect(scratch.files("damaged").count == 1)
    }

    @Test("one of many processes rebuilds it, and the others use the new index")
    func together() async throws {
        try fill()
        let libraries = try (0..<4).map { _ in try open() }
        try damage(.value)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, library) in libraries.enumerated() {
                group.addTask {
                    let serials = [19, 100 + number]
                    let incoming = try serials.map { try TestPass(serial: "\($0)").incoming() }
                    _ = try library.add(incoming)
                }
            }
            try await group.waitForAll()
        }
        #expect(told.codes == [.damagedIndex])
        for library in libraries { #expect(try serials(library).count == 23) }
    }

    @Test(
        "a reader that was open before gets an error for a replaced index", .timeLimit(.minutes(1))
    )
    func replaced() async throws {
        try fill()
        let reader = try PassLibrary(at: scratch.url, for: .reading)
        var changes = try reader.changes().makeAsyncIterator()
        try damage(.value)
        _ = try open().add(incoming(19..<21))
        #expect(throws: LibraryError.replaced(index.path)) { try reader.passes() }
        #expect(await changes.next() == .everything)
        #expect(await changes.next() == nil)
    }

    @Test("a library of a later version is left unchanged")
    func newer() throws {
        try fill()
        try python("index.execute(\"INSERT INTO grdb_migrations VALUES ('99: later')\")")
        #expect(throws: LibraryError.newerLibrary(scratch.url.path)) { try self.open() }
        #expect(told.findings == [])
        try python("assert index.execute(\"SELECT count(*) FROM passes\").fetchone() == (19,)")
    }

    @Test("an unreadable library, or one in use, is left unchanged")
    func unreadable() throws {
        try fill()
        try FileManager.default.removeItem(at: index)
        try FileManager.default.createDirectory(at: index, withIntermediateDirectories: true)
        #expect(throws: LibraryError.self) { try self.open() }
        #expect(told.findings == [])
        #expect(scratch.files("passes").count == 19)
    }

    @Test("a damaged pass file is restored when the pass is imported again")
    func damagedFile() throws {
        let incoming = try TestPass().incoming()
        let library = try open()
        let file = scratch.url.appendingPathComponent(
            "passes/\(incoming.pass.sha256.prefix(2))/\(incoming.pass.sha256).pkpass")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("x".utf8).write(to: file)
        _ = try library.add([incoming])
        #expect(try library.octets(of: library.pass(named: "0001").current).count > 1)
    }
}
