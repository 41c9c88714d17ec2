import Foundation
import PassModel
import PassStore
import PassVerification
import Testing

@Suite("A check finds the effects of a crash or of manual changes, and repairs them")
struct LibraryCheckTests {
    let scratch = Scratch()
    typealias Code = LibraryFinding.Code

    /// A library of three passes, one of them in two versions.
    private func library() throws -> PassLibrary {
        let library = try PassLibrary(at: scratch.url, for: .writing)
        _ = try library.add([
            TestPass(serial: "1", note: "a").incoming(),
            TestPass(serial: "1", note: "b").incoming(),
            TestPass(serial: "2", organization: "Opera").incoming(),
            TestPass(serial: "3").incoming(),
        ])
        return library
    }

    private func check(
        mend: Bool, verify: (Data) -> VerifiedPass? = { _ in nil }
    ) throws -> LibraryCheck {
        try PassLibrary.check(at: scratch.url, mend: mend, verify: verify)
    }

    /// Expects these findings in a check and in a repair, and none afterwards.
    private func expect(_ codes: [Code], stays: [Code] = []) throws {
        let found = try check(mend: false).findings
        #expect(found.map(\.code) == codes)
        #expect(found.allSatisfy { !$0.isMended })
        #expect(try check(mend: true).findings.map(\.code) == codes)
        #expect(try check(mend: false).findings.map(\.code) == stays)
    }

    private func sqlite(_ statement: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        let path = scratch.url.appendingPathComponent("library.sqlite").path
        process.arguments = [
            "python3", "-c",
            """
            import sqlite3, sys
            with sqlite3.connect(sys.argv[1]) as connection: connection.execute(sys.argv[2])
            """, path, statement,
        ]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    @Test("an intact library")
    func inOrder() throws {
        _ = try library()
        let check = try check(mend: false)
        #expect(check.findings == [])
        #expect(check.passes == 3)
        #expect(check.versions == 4)
    }

    @Test("a folder without a library")
    func none() throws {
        #expect(throws: LibraryError.noSuchLibrary(scratch.url.path)) { try check(mend: true) }
        try FileManager.default.createDirectory(at: scratch.url, withIntermediateDirectories: true)
        #expect(throws: LibraryError.noSuchLibrary(scratch.url.path)) { try check(mend: true) }
    }

    @Test("a file in place of the folder", arguments: [true, false])
    func fileInPlace(mend: Bool) throws {
        try Data("x".utf8).write(to: scratch.url)
        let error = LibraryError.cannotRead(path: scratch.url.path, reason: .system(ENOTDIR))
        #expect(throws: error) { try check(mend: mend) }
    }

    @Test("a missing file: an older version becomes the current one")
    func missing() throws {
        let library = try library()
        let pass = try library.pass(named: "pass.com.example.ticket/1")
        let versions = try library.versions(of: pass.identity)
        try FileManager.default.removeItem(at: library.file(of: pass.current))
        try expect([.missingFile])
        #expect(try library.pass(named: "pass.com.example.ticket/1").current == versions[1])
        #expect(try library.versions(of: pass.identity) == [versions[1]])
    }

    @Test("a changed file: it is moved to `damaged`, and its only version is deleted")
    func changed() throws {
        let library = try library()
        let pass = try #require(try library.search("opera").first)
        try Data("something else".utf8).write(to: library.file(of: pass.current))
        #expect(
            try check(mend: false).findings.map(\.kind)
                == [.changedFile(.onlyVersion)])
        #expect(
            try check(mend: true).findings.map(\.kind)
                == [.changedFile(.onlyVersion)])
        #expect(try check(mend: false).findings == [])
        #expect(try library.contains(pass.identity) == false)
        #expect(try library.search("opera").isEmpty)
        #expect(scratch.files("damaged") == ["\(pass.current.sha256).pkpass"])
    }

    @Test("a changed file of one version among others")
    func changedOne() throws {
        let library = try library()
        let pass = try library.pass(named: "pass.com.example.ticket/1")
        try Data("something else".utf8).write(to: library.file(of: pass.current))
        try expect([.wrongHash])
        #expect(try library.contains(pass.identity))
        #expect(scratch.files("damaged") == ["\(pass.current.sha256).pkpass"])
    }

    @Test("changed files of all versions, the last of which has no others left")
    func changedAll() throws {
        let library = try library()
        let pass = try library.pass(named: "pass.com.example.ticket/1")
        for version in try library.versions(of: pass.identity) {
            try Data("something else".utf8).write(to: library.file(of: version))
        }
        for mend in [false, true] {
            #expect(
                try check(mend: mend).findings.map(\.kind)
                    == [.changedFile(.others), .changedFile(.onlyVersion)])
        }
    }

    @Test("a damaged file does not replace an earlier one of the same name")
    func damagedTwice() throws {
        let texts = ["first", "second", "third"]
        for text in texts {
            let pass = try library().pass(named: "pass.com.example.ticket/3")
            let file = try PassLibrary(at: scratch.url, for: .writing).file(of: pass.current)
            try Data(text.utf8).write(to: file)
            #expect(try check(mend: true).findings.map(\.code) == [.wrongHash])
        }
        let damaged = scratch.url.appendingPathComponent("damaged")
        let kept = try scratch.names("damaged").map { name in
            try String(contentsOf: damaged.appendingPathComponent(name), encoding: .utf8)
        }
        #expect(kept.sorted() == texts)
    }

    @Test("leftover, orphaned and unrelated files")
    func files() throws {
        _ = try library()
        let orphan = String(repeating: "ab", count: 32)
        for name in [
            "temporary/123-x", "passes/ab/\(orphan).pkpass", "passes/ab/holiday.jpg",
            "passes/notes",
            "passes/cd/\(orphan).pkpass",
        ] {
            let file = scratch.url.appendingPathComponent(name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("x".utf8).write(to: file)
        }
        let strays = [Code.strayFile, .strayFile, .strayFile]
        let found = try check(mend: false).findings.map(\.code)
        #expect(found == [.leftoverFile, .orphanFile] + strays)
        let mended = try check(mend: true).findings.map(\.code)
        #expect(mended == [.leftoverFile, .refusedFile] + strays)
        #expect(try check(mend: false).findings.map(\.code) == strays)
        #expect(scratch.files("damaged") == ["\(orphan).pkpass"])
    }

    @Test("a pass file missing from the index is imported again")
    func orphan() throws {
        let library = try library()
        try sqlite("DELETE FROM passes WHERE serialNumber = '2'")
        try sqlite("DELETE FROM versions WHERE pass NOT IN (SELECT id FROM passes)")
        try sqlite("DELETE FROM search WHERE rowid NOT IN (SELECT id FROM passes)")
        try sqlite("DELETE FROM texts WHERE version NOT IN (SELECT id FROM versions)")
        try sqlite("DELETE FROM origins WHERE version NOT IN (SELECT id FROM versions)")
        #expect(try check(mend: false).findings.map(\.code) == [.orphanFile])
        let mended = try check(mend: true) { PassVerifier().verify(Array($0)).verified }
        #expect(mended.findings.map(\.code) == [.orphanFile])
        #expect(try library.search("opera").count == 1)
        #expect(try check(mend: false).findings == [])
    }

    @Test("permissions open to others")
    func open() throws {
        _ = try library()
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: scratch.url.path)
        try expect([.openToOthers])
    }

    @Test("the wrong current version, and a search index without a pass")
    func index() throws {
        let library = try library()
        let pass = try library.pass(named: "pass.com.example.ticket/1")
        let other = try #require(try library.versions(of: pass.identity).last)
        try sqlite("UPDATE passes SET front = \(other.id) WHERE id = \(pass.id)")
        try sqlite("DELETE FROM search WHERE rowid = 2")
        try expect([.wrongFront, .wrongSearch])
        #expect(try library.pass(named: "pass.com.example.ticket/1") == pass)
        #expect(try library.search("example").count == 3)
        try sqlite("DELETE FROM foldedTexts WHERE rowid = 2")
        try expect([.wrongSearch])
        #expect(try library.search("icket").count == 3)
    }

    enum Damage: CaseIterable { case overwritten, truncated, emptied, text, gone, value }

    @Test("a damaged index is rebuilt from the files", arguments: Damage.allCases)
    func damaged(_ damage: Damage) throws {
        let incoming = try ["1", "2", "3"].map { try TestPass(serial: $0).incoming(from: "/\($0)") }
        _ = try PassLibrary(at: scratch.url, for: .writing).add(incoming)
        let path = scratch.url.appendingPathComponent("library.sqlite").path
        let size = try #require(FileManager.default.contents(atPath: path)).count
        switch damage {
        case .overwritten:
            let file = try #require(FileHandle(forUpdatingAtPath: path))
            try file.seek(toOffset: 4096)
            try file.write(contentsOf: Data(repeating: 0x55, count: size - 4096))
        case .truncated:
            try #require(FileHandle(forUpdatingAtPath: path)).truncate(atOffset: UInt64(size / 2))
        case .emptied:
            try #require(FileHandle(forUpdatingAtPath: path)).truncate(atOffset: 0)
        case .text:
            try Data(repeating: 0x20, count: size).write(to: URL(fileURLWithPath: path))
        case .gone: try FileManager.default.removeItem(atPath: path)
        case .value: try sqlite("UPDATE versions SET verdict = 'perhaps' WHERE id = 2")
        }
        #expect(try check(mend: false).findings.map(\.code) == [.damagedIndex])
        let mended = try check(mend: true) { PassVerifier().verify(Array($0)).verified }
        #expect(mended.findings.map(\.code) == [.damagedIndex])
        #expect(mended.passes == 3)
        #expect(try check(mend: false).findings == [])
        let library = try PassLibrary(at: scratch.url, for: .writing)
        #expect(try library.passes().map(\.serialNumber).sorted() == ["1", "2", "3"])
        #expect(try library.search("example").count == 3)
        if damage == .value {
            for incoming in incoming {
                #expect(
                    try library.pass(named: incoming.pass.sha256).current.origins
                        == [incoming.origin])
            }
        }
    }

    @Test("a library without an index is not treated as a new one", arguments: [false, true])
    func goneIndex(_ isEmptied: Bool) throws {
        _ = try library()
        let index = scratch.url.appendingPathComponent("library.sqlite")
        try FileManager.default.removeItem(at: index)
        if isEmptied { try Data().write(to: index) }
        for access in [PassLibrary.Access.changing, .writing] {
            #expect(
                throws: LibraryError.corrupted(
                    path: index.path, reason: .lost)
            ) {
                try PassLibrary(at: scratch.url, for: access)
            }
        }
        #expect(scratch.files("passes").count == 4)
    }

    @Test("a file that the verifier now rejects is moved to `damaged`")
    func refused() throws {
        _ = try library()
        try FileManager.default.removeItem(at: scratch.url.appendingPathComponent("library.sqlite"))
        let codes = try check(mend: true).findings.map(\.code)
        #expect(codes == Array(repeating: .refusedFile, count: 4) + [.damagedIndex])
        #expect(scratch.files("damaged").count == 4)
    }

    @Test("an open library must be opened again after its index was rebuilt")
    func replaced() throws {
        let library = try library()
        try sqlite("UPDATE versions SET verdict = 'perhaps'")
        _ = try check(mend: true)
        #expect(throws: LibraryError.replaced(scratch.url.path + "/library.sqlite")) {
            try library.add([TestPass().incoming()])
        }
    }
}
