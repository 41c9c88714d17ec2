import Foundation
import PassStore
import PassVerification
import Testing

@Suite("A library caches which sources were read, as long as it contains their passes")
struct SourceNotesTests {
    let scratch = Scratch()

    private func note(_ source: String, _ content: String, manner: String = "a") -> SourceNote {
        SourceNote(
            source: Data(source.utf8), manner: Data(manner.utf8), content: Data(content.utf8))
    }

    /// The cache entries of a source and its contents: `source=content`, or `source` alone.
    private func notes(
        _ source: String, manner: String = "a", isDeep: Bool = true, _ library: PassLibrary
    ) throws -> [String] {
        try library.sourceNotes(
            within: Data(source.utf8), manner: Data(manner.utf8), isDeep: isDeep
        ).map {
            let content = $0.content.map { "=" + String(decoding: $0, as: UTF8.self) } ?? ""
            return String(decoding: $0.source, as: UTF8.self) + content
        }
    }

    private func sqlite(_ script: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        let path = scratch.url.appendingPathComponent("library.sqlite").path
        process.arguments = [
            "python3", "-c",
            """
            import sqlite3, sys
            with sqlite3.connect(sys.argv[1]) as connection: connection.executescript(sys.argv[2])
            """, path, script,
        ]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    @Test("entries of a source and everything in it are found, and no others")
    func within() throws {
        let library = try PassLibrary(at: scratch.url, for: .writing)
        let names = ["/m", "/m/", "/m/x", "/m/\u{FF}", "/m-old", "/m0", "/l", "/M/x"]
        try library.keep(names.map { note($0, "1") })
        #expect(try notes("/m", library) == ["/m=1", "/m/=1", "/m/x=1", "/m/\u{FF}=1"])
        #expect(try notes("", library).count == names.count)
        #expect(try notes("/m", manner: "b", library) == ["/m", "/m/", "/m/x", "/m/\u{FF}"])
    }

    @Test("on request, only those of its direct contents are found")
    func shallow() throws {
        let library = try PassLibrary(at: scratch.url, for: .writing)
        let names = ["/m", "/m/", "/m/x", "/m/x/", "/m/x/y", "/m//", "/m-old", "/n/x"]
        try library.keep(names.map { note($0, "1") })
        #expect(try notes("/m", isDeep: false, library) == ["/m=1", "/m/=1", "/m/x=1"])
        #expect(try notes("/m/x", isDeep: false, library) == ["/m/x=1", "/m/x/=1", "/m/x/y=1"])
    }

    @Test("an entry replaces others, and is not stored if one of them is gone by then")
    func instead() throws {
        let library = try PassLibrary(at: scratch.url, for: .writing)
        let first = try library.keep([note("/m", "1"), note("/n", "1")])
        let second = try library.keep([note("/m", "2", manner: "b")], insteadOf: [first[0]])
        #expect(try library.keep([note("/m", "3")], insteadOf: [first[1], first[0]]) == [])
        #expect(try notes("", library) == ["/n=1", "/m"])
        try library.keep([note("/m", "3")], insteadOf: second)
        try library.keep([], insteadOf: [first[1]])
        #expect(try notes("", library) == ["/m=3"])
        let other = try PassLibrary(at: scratch.url, for: .reading)
        #expect(try notes("/m", other) == ["/m=3"])
        #expect(throws: LibraryError.self) { try other.keep([note("/m", "4")]) }
    }

    @Test("losing a pass deletes the entries, and reading the sources again restores the pass")
    func mended() throws {
        let library = try PassLibrary(at: scratch.url, for: .writing)
        _ = try library.add([TestPass().incoming()])
        try library.keep([note("/m", "1")])
        _ = try PassLibrary.check(at: scratch.url, mend: true) { _ in nil }
        #expect(try notes("/m", library) == ["/m=1"])
        let file = try #require(scratch.files("passes").first)
        try FileManager.default.removeItem(at: scratch.url.appendingPathComponent("passes/\(file)"))
        _ = try PassLibrary.check(at: scratch.url, mend: false) { _ in nil }
        #expect(try notes("/m", library) == ["/m=1"])
        _ = try PassLibrary.check(at: scratch.url, mend: true) { _ in nil }
        #expect(try notes("/m", library) == [])
    }

    @Test("a library from before the cache can be read, and gets a cache when it is written")
    func earlier() throws {
        do {
            let library = try PassLibrary(at: scratch.url, for: .writing)
            _ = try library.add([TestPass().incoming()])
        }
        try sqlite(
            """
            DROP TABLE sourceNotes;
            DELETE FROM grdb_migrations WHERE identifier LIKE '2:%';
            """)
        #expect(try PassLibrary(at: scratch.url, for: .reading).count() == 1)
        let library = try PassLibrary(at: scratch.url, for: .changing)
        try library.keep([note("/m", "1")])
        #expect(try notes("/m", library) == ["/m=1"])
    }
}
