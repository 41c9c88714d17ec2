import Foundation
import PassModel
import PassStore
import PassVerification
import Testing

@Suite("A library stores every version of a pass with its origins")
struct PassLibraryTests {
    let scratch = Scratch()

    @Test(
        "of versions without a signing time, the one that arrived last is current",
        arguments: [
            [0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0],
        ])
    func anyOrder(_ order: [Int]) throws {
        // The dates of mail do not count.
        let versions = try (0..<3).map {
            try TestPass(note: "version \($0)").incoming(
                date: Date(timeIntervalSince1970: Double($0) * 1e9))
        }
        let digests = order.map { versions[$0].pass.sha256 }
        let library = try PassLibrary(at: scratch.url, for: .writing)
        var admissions: [Admission] = []
        for index in order { admissions += try library.add([versions[index]]) }
        #expect(admissions == [.added, .updated, .updated])
        let pass = try #require(try library.passes().first)
        #expect(pass.current.sha256 == digests.last)
        #expect(
            try library.versions(of: pass.identity).map(\.sha256) == digests.reversed())
        #expect(try library.count() == 1)
    }

    @Test("a batch gives the same result as adding its passes one by one")
    func batch() throws {
        let older = try TestPass(note: "1").incoming()
        let newer = try TestPass(note: "2").incoming()
        let other = try TestPass(serial: "0002").incoming()
        let library = try PassLibrary(at: scratch.url, for: .writing)
        #expect(
            try library.add([older, other, newer, older, newer])
                == [.added, .added, .updated, .unchanged, .unchanged])
        #expect(try library.add([older, newer]) == [.unchanged, .unchanged])
        #expect(scratch.files("passes").count == 3)
        #expect(scratch.files("temporary").isEmpty)
        #expect(try library.add([]) == [])
    }

    @Test("a further origin is added once")
    func origins() throws {
        let library = try PassLibrary(at: scratch.url, for: .writing)
        let pass = try TestPass().incoming().pass
        let mail = Origin(
            source: "/mail/inbox", messageID: "<1@example.com>", from: "Zoë <zoe@example.com>",
            date: Date(timeIntervalSince1970: 1_700_000_000), subject: "Ihre Fahrkarte",
            part: "1.2!ticket.pkpass")
        let file = Origin(source: "/home/zoe/ticket.pkpass")
        for origin in [mail, file, mail, file] {
            _ = try library.add([IncomingPass(pass: pass, origin: origin)])
        }
        #expect(try library.passes().map(\.current.origins) == [[mail, file]])
    }

    @Test("removing a pass deletes its history and its files")
    func remove() throws {
        let library = try PassLibrary(at: scratch.url, for: .writing)
        _ = try library.add([
            TestPass(note: "1").incoming(), TestPass(note: "2").incoming(),
            TestPass(serial: "0002").incoming(),
        ])
        let identity = try TestPass().incoming().pass.pass.identity
        #expect(try library.contains(identity))
        #expect(try library.remove(identity))
        #expect(try library.remove(identity) == false)
        #expect(try library.contains(identity) == false)
        #expect(try library.versions(of: identity).isEmpty)
        #expect(scratch.files("passes").count == 1)
        #expect(try library.search("0001").isEmpty)
    }

    @Test("only a stored pass can be replaced")
    func replace() throws {
        let library = try PassLibrary(at: scratch.url, for: .writing)
        let pass = try TestPass(note: "1").incoming()
        #expect(throws: LibraryError.noSuchPass("pass.com.example.ticket/0001")) {
            try library.replace(with: pass)
        }
        #expect(try library.count() == 0)
        #expect(scratch.files("").isEmpty)
        _ = try library.add([pass])
        #expect(try library.replace(with: pass) == .unchanged)
    }

    @Test("only known passes are stored, and the others leave no file")
    func admitKnown() throws {
        let library = try PassLibrary(at: scratch.url, for: .writing)
        _ = try library.add([TestPass(serial: "1").incoming(), TestPass(serial: "2").incoming()])
        try library.remove(TestPass(serial: "1").incoming().pass.pass.identity)
        let admitted = try library.admitKnown(
            ["1", "2", "3"].map { try TestPass(serial: $0, note: "newer").incoming(date: .now) })
        #expect(admitted.map { $0?.admission } == [nil, .updated, nil])
        #expect(try library.passes().map(\.serialNumber) == ["2"])
        #expect(scratch.files("passes").count == 2)
        #expect(scratch.names("temporary") == [])
    }

    @Test("an instance sees only its pass types")
    func declaredTypes() throws {
        let all = try PassLibrary(at: scratch.url, for: .writing)
        _ = try all.add([
            TestPass(type: "pass.com.example.ticket").incoming(),
            TestPass(type: "pass.com.example.card").incoming(),
        ])
        let cards = try PassLibrary(
            at: scratch.url, passTypeIdentifiers: ["pass.com.example.card"], for: .writing)
        #expect(try cards.passes().map(\.passTypeIdentifier) == ["pass.com.example.card"])
        #expect(try cards.count() == 1)
        #expect(try cards.search("Example").count == 1)
        let ticket = PassIdentity(
            passTypeIdentifier: "pass.com.example.ticket", serialNumber: "0001")
        #expect(try cards.contains(ticket) == false)
        #expect(try cards.remove(ticket) == false)
        #expect(throws: LibraryError.noSuchPass(ticket.description)) {
            try cards.pass(named: ticket.description)
        }
        #expect(throws: LibraryError.noSuchPass(ticket.description)) {
            try cards.replace(with: TestPass().incoming())
        }
        #expect(try all.count() == 2)
    }

    @Test("other users cannot read it")
    func permissions() throws {
        let folder = scratch.url.appendingPathComponent("deep/library")
        let library = try PassLibrary(at: folder, for: .writing)
        _ = try library.add([TestPass().incoming()])
        let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap {
            $0 as? String
        }
        for name in try #require(names) + [".", ".."] {
            let path = folder.appendingPathComponent(name).path
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            let permissions = try #require(attributes[.posixPermissions] as? NSNumber)
            #expect(permissions.intValue & 0o077 == 0, "\(name)")
        }
    }

    @Test("reading creates no library")
    func readingCreatesNothing() throws {
        #expect(throws: LibraryError.noSuchLibrary(scratch.url.path)) {
            try PassLibrary(at: scratch.url, for: .reading)
        }
        #expect(!FileManager.default.fileExists(atPath: scratch.url.path))
        _ = try PassLibrary(at: scratch.url, for: .writing).add([TestPass().incoming()])
        let library = try PassLibrary(at: scratch.url, for: .reading)
        #expect(try library.count() == 1)
        #expect(throws: LibraryError.self) { try library.add([TestPass(serial: "2").incoming()]) }
        #expect(try library.count() == 1)
    }

    @Test("reading is the default, creates no library, and changes none")
    func reading() throws {
        #expect(throws: LibraryError.noSuchLibrary(scratch.url.path)) {
            try PassLibrary(at: scratch.url)
        }
        #expect(!FileManager.default.fileExists(atPath: scratch.url.path))
        _ = try PassLibrary(at: scratch.url, for: .writing).add([TestPass().incoming()])
        let before = try passFiles()
        #expect(before.count == 1)
        let library = try PassLibrary(at: scratch.url)
        #expect(try library.count() == 1)
        #expect(throws: LibraryError.self) { try library.add([TestPass(serial: "2").incoming()]) }
        #expect(throws: LibraryError.self) {
            try library.remove(TestPass().incoming().pass.pass.identity)
        }
        #expect(try passFiles() == before)
    }

    private func passFiles() throws -> Set<String> {
        let names = FileManager.default.enumerator(atPath: scratch.url.path)?.compactMap {
            $0 as? String
        }
        return Set(try #require(names).filter { $0.hasSuffix(".pkpass") })
    }

    @Test("an index that is a link is read with its log, which is beside the target")
    func linkedIndex() throws {
        _ = try PassLibrary(at: scratch.url, for: .writing).add([TestPass().incoming()])
        let elsewhere = Scratch()
        let (index, target) = (
            scratch.url.appending(path: "library.sqlite"), elsewhere.url.appending(path: "it")
        )
        try FileManager.default.createDirectory(
            at: elsewhere.url, withIntermediateDirectories: true)
        try FileManager.default.moveItem(at: index, to: target)
        try FileManager.default.createSymbolicLink(at: index, withDestinationURL: target)
        let reader = try PassLibrary(at: scratch.url)
        #expect(try reader.count() == 1)
        let writer = try PassLibrary(at: scratch.url, for: .writing)
        _ = try writer.add([TestPass(serial: "2").incoming()])
        #expect(elsewhere.names("") == ["it", "it-shm", "it-wal"])
        #expect(try reader.count() == 2)
        #expect(try PassLibrary(at: scratch.url).count() == 2)
    }

    @Test("changing creates no library, and changes an existing one")
    func changingCreatesNothing() throws {
        let none = LibraryError.noSuchLibrary(scratch.url.path)
        #expect(throws: none) { try PassLibrary(at: scratch.url, for: .changing) }
        #expect(!FileManager.default.fileExists(atPath: scratch.url.path))
        try FileManager.default.createDirectory(at: scratch.url, withIntermediateDirectories: true)
        #expect(throws: none) { try PassLibrary(at: scratch.url, for: .changing) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path).isEmpty)
        let incoming = try TestPass().incoming()
        _ = try PassLibrary(at: scratch.url, for: .writing).add([incoming])
        let library = try PassLibrary(at: scratch.url, for: .changing)
        #expect(try library.remove(incoming.pass.pass.identity))
        #expect(try library.add([incoming]) == [.added])
    }

    @Test("a negative count returns no passes, a negative offset skips none")
    func negativePage() throws {
        let library = try PassLibrary(at: scratch.url, for: .writing)
        _ = try library.add([TestPass(serial: "1").incoming(), TestPass(serial: "2").incoming()])
        #expect(try library.passes(limit: -1).isEmpty)
        #expect(try library.passes(offset: -1).count == 2)
        #expect(try library.search("example", limit: -1).isEmpty)
        #expect(try library.search("example", offset: .min).count == 2)
    }

    @Test("a file at the library's path gives a clear error")
    func fileInPlace() throws {
        try Data("x".utf8).write(to: scratch.url)
        let path = scratch.url.path
        #expect(throws: LibraryError.self) { try PassLibrary(at: scratch.url, for: .writing) }
        #expect(throws: LibraryError.cannotRead(path: path, reason: .system(ENOTDIR))) {
            try PassLibrary(at: scratch.url, for: .reading)
        }
    }

    @Test("stored bytes are verified before they are returned")
    func octets() throws {
        let library = try PassLibrary(at: scratch.url, for: .writing)
        let incoming = try TestPass().incoming()
        _ = try library.add([incoming])
        let version = try #require(try library.passes().first).current
        #expect(Array(try library.octets(of: version)) == (try TestPass().file))
        try Data("other".utf8).write(to: library.file(of: version))
        #expect(throws: LibraryError.damagedPass(sha256: version.sha256, reason: .changed)) {
            try library.octets(of: version)
        }
        try FileManager.default.removeItem(at: library.file(of: version))
        #expect(throws: LibraryError.damagedPass(sha256: version.sha256, reason: .gone)) {
            try library.octets(of: version)
        }
        // Importing the same bytes again repairs the file.
        #expect(try library.add([incoming]) == [.unchanged])
        #expect(try library.octets(of: version).count == version.size)
    }

    @Test("waiting too long for another process is an error")
    func locked() throws {
        let library = try PassLibrary(at: scratch.url, for: .writing, patience: .milliseconds(200))
        let holder = Process()
        let (input, output) = (Pipe(), Pipe())
        holder.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        holder.arguments = [
            "python3", "-c",
            """
            import sqlite3, sys
            connection = sqlite3.connect(sys.argv[1])
            connection.execute("BEGIN IMMEDIATE")
            print("held", flush=True)
            sys.stdin.read()
            """, scratch.url.appendingPathComponent("library.sqlite").path,
        ]
        holder.standardInput = input
        holder.standardOutput = output
        try holder.run()
        _ = output.fileHandleForReading.availableData
        #expect(throws: LibraryError.locked(scratch.url.path + "/library.sqlite")) {
            try library.add([TestPass().incoming()])
        }
        #expect(try library.count() == 0)
        try input.fileHandleForWriting.close()
        holder.waitUntilExit()
        #expect(try library.add([TestPass().incoming()]) == [.added])
    }
}
