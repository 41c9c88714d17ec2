import Foundation
import PassModel
import PassStore
import PassVerification
import Testing

@Suite("The settings of a pass stay until the pass is removed")
final class PassSettingsTests {
    private let scratch = Scratch()
    private let kinds: [PassSetting] = [.updatesAutomatically, .showsNotifications]

    private func open(_ access: PassLibrary.Access = .writing) throws -> PassLibrary {
        let verifier = PassVerifier()
        let mending = IndexMending(
            verify: { verifier.verify(Array($0)).verified }, report: { _ in })
        return try PassLibrary(at: scratch.url, for: access, mending: mending)
    }

    private func identity(_ serial: String) -> PassIdentity {
        PassIdentity(passTypeIdentifier: "pass.com.example.ticket", serialNumber: serial)
    }

    /// The settings of a pass: `u` for automatic updates, `n` for notifications.
    private func settings(_ serial: String, in library: PassLibrary? = nil) throws -> String {
        let pass = try #require(try (library ?? open(.reading)).pass(identity(serial)))
        return (pass.updatesAutomatically ? "u" : "-") + (pass.showsNotifications ? "n" : "-")
    }

    @Test("both are on in a new pass, and each is set for several passes at once")
    func set() throws {
        let library = try open()
        _ = try library.add(["1", "2", "3"].map { try TestPass(serial: $0).incoming() })
        #expect(try settings("1") == "un")
        let before = try library.passes(sortedBy: .lastUpdate).map(\.serialNumber)
        let changed = try library.set(
            .updatesAutomatically, to: false, of: [identity("2"), identity("0"), identity("1")])
        #expect(changed.map(\.serialNumber) == ["2", "1"])
        #expect(changed.map(\.updatesAutomatically) == [false, false])
        try library.set(.showsNotifications, to: false, of: [identity("1")])
        #expect(try ["1", "2", "3"].map { try settings($0) } == ["--", "-n", "un"])
        try library.set(.updatesAutomatically, to: true, of: [identity("1")])
        #expect(try settings("1") == "u-")
        // A change of a setting is not an update of the pass.
        #expect(try library.passes(sortedBy: .lastUpdate).map(\.serialNumber) == before)
    }

    @Test("they stay when versions are added or removed, and are deleted with the pass")
    func versions() throws {
        let library = try open()
        let versions = try ["1", "2", "3"].map { try TestPass(serial: "a", note: $0).incoming() }
            .sorted { $0.pass.sha256 < $1.pass.sha256 }
        _ = try library.add([versions[1]])
        for setting in kinds { try library.set(setting, to: false, of: [identity("a")]) }
        for version in [versions[0], versions[2], versions[1]] {
            _ = try library.add([version])
            #expect(try settings("a") == "--")
        }
        // The file of the current version is lost.
        let current = try #require(try library.pass(identity("a"))).current
        try FileManager.default.removeItem(at: library.file(of: current))
        _ = try PassLibrary.check(at: scratch.url, mend: true) { _ in nil }
        #expect(try library.versions(of: identity("a")).count == 2)
        #expect(try settings("a") == "--")
        try library.remove(identity("a"))
        _ = try library.add([versions[0]])
        #expect(try settings("a") == "un")
    }

    enum Damage: CaseIterable { case verdict, setting, truncated, lost }

    /// Closes the library again, which writes the log into the index.
    private func fill() throws {
        let library = try open()
        _ = try library.add((0..<5).map { try TestPass(serial: "\($0)").incoming() })
        try library.remove(identity("0"))
        try library.set(.updatesAutomatically, to: false, of: [identity("2")])
        try library.set(.showsNotifications, to: false, of: [identity("2"), identity("4")])
        try library.setUpdatesAutomatically(false)
    }

    @Test(
        "they are recovered as far as a damaged index is readable", arguments: Damage.allCases)
    func rebuilt(_ damage: Damage) throws {
        try fill()
        let index = scratch.url.appendingPathComponent("library.sqlite")
        switch damage {
        case .verdict: try scratch.sqlite("UPDATE versions SET verdict = 'perhaps'")
        case .setting:
            try scratch.sqlite(
                "UPDATE passes SET showsNotifications = 'x' WHERE serialNumber = '2'")
        case .truncated:
            try FileHandle(forUpdatingAtPath: index.path)?.truncate(atOffset: 4096)
        case .lost: try FileManager.default.removeItem(at: index)
        }
        let mended = try open()
        // Add a pass that exists, so that its rows are read.
        _ = try mended.add(["2", "5"].map { try TestPass(serial: $0).incoming() })
        let after = try (1...5).map { try settings("\($0)", in: mended) }
        switch damage {
        case .verdict: #expect(after == ["un", "--", "un", "u-", "un"])
        case .setting: #expect(after == ["un", "-n", "un", "u-", "un"])
        case .truncated, .lost: #expect(after == ["un", "un", "un", "un", "un"])
        }
        let isReadable = damage == .verdict || damage == .setting
        #expect(try mended.updatesAutomatically() == !isReadable)
        #expect(
            try PassLibrary.check(at: scratch.url, mend: false, verify: { _ in nil }).findings == []
        )
    }

    @Test("changes by other processes are reported, each once", .timeLimit(.minutes(1)))
    func changes() async throws {
        let library = try open()
        _ = try library.add(["1", "2"].map { try TestPass(serial: $0).incoming() })
        let tickets = try PassLibrary(at: scratch.url, passTypeIdentifiers: [TestPass().type])
        let cards = try PassLibrary(at: scratch.url, passTypeIdentifiers: ["pass.card"])
        var seen = try tickets.changes().makeAsyncIterator()
        var unseen = try cards.changes().makeAsyncIterator()
        // Wait until the check at the start of every stream is done.
        try await Task.sleep(for: .milliseconds(200))
        let start = ContinuousClock.now
        for isOn in [false, false] {
            try library.set(.updatesAutomatically, to: isOn, of: [identity("1"), identity("2")])
        }
        #expect(await seen.next() == .updated(identity("1")))
        #expect(await seen.next() == .updated(identity("2")))
        for isOn in [true, false, false] { try library.setUpdatesAutomatically(isOn) }
        #expect(await seen.next() == .everything)
        #expect(await unseen.next() == .everything)
        #expect(ContinuousClock.now - start < .seconds(8))
        #expect(try tickets.updatesAutomatically() == false)
        #expect(try cards.set(.updatesAutomatically, to: true, of: [identity("1")]).isEmpty)
        #expect(try settings("1") == "-n")
    }

    @Test("no change is lost while another process imports versions", .timeLimit(.minutes(1)))
    func together() throws {
        let library = try open()
        let importer = try Importer(scratch.url, series: "p", batches: 4)
        defer { importer.process.waitUntilExit() }
        let serials = (0..<4).flatMap { batch in
            (0..<Importer.batch).map { "p-\(batch)-\($0)" }
        }
        _ = try library.add(serials.map { try TestPass(serial: $0, note: "earlier").incoming() })
        for serial in serials {
            try library.set(.showsNotifications, to: false, of: [identity(serial)])
        }
        importer.process.waitUntilExit()
        #expect(importer.reported.count == serials.count)
        for serial in serials {
            #expect(try settings(serial, in: library) == "u-")
            #expect(try library.versions(of: identity(serial)).count == 2)
        }
    }

    @Test("an older index can be read, and gets the settings at the first change")
    func earlier() throws {
        _ = try open().add([TestPass(serial: "1").incoming()])
        try scratch.sqlite(
            """
            ALTER TABLE passes DROP COLUMN updatesAutomatically;
            ALTER TABLE passes DROP COLUMN showsNotifications;
            DROP TABLE settings;
            DELETE FROM grdb_migrations WHERE identifier LIKE '%: settings of passes'
            """)
        let reader = try open(.reading)
        #expect(try settings("1", in: reader) == "un")
        #expect(try reader.updatesAutomatically())
        let library = try open(.changing)
        try library.set(.showsNotifications, to: false, of: [identity("1")])
        try library.setUpdatesAutomatically(false)
        #expect(try settings("1") == "u-")
        #expect(try library.updatesAutomatically() == false)
    }
}
