import Foundation
import PassStore
import Testing

@Suite("An unreadable record of updates is deleted")
struct UpdateRecordTests {
    private let scratch = Scratch()

    private func findings(mend: Bool) throws -> [LibraryFinding] {
        try PassLibrary.check(at: scratch.url, mend: mend) { _ in nil }.findings
    }

    @Test(
        "with an invalid value in any column",
        arguments: [
            "token = NULL", "failures = 'many'", "askedAt = 'now'", "host = x'ff'",
            "lastModified = x'ff'",
        ])
    func unreadable(change: String) throws {
        let library = try PassLibrary(at: scratch.url, for: .writing)
        _ = try library.add(["1", "2"].map { try TestPass(serial: $0).incoming() })
        let service = WebService(
            url: "https://example.com/v1/passes/1", token: "secret", host: "example.com")
        try library.keep(try library.passes().map { ($0.current, service) })
        #expect(try findings(mend: true) == [])
        try scratch.sqlite("UPDATE updates SET \(change) WHERE version = 2")
        #expect(try findings(mend: false).map(\.code) == [.wrongUpdates])
        #expect(try findings(mend: true).map(\.isMended) == [true])
        #expect(try findings(mend: false) == [])
        #expect(try library.passes().count == 2)
    }

    @Test("with a failure that only a later version knows, it is not unreadable")
    func failures() throws {
        let library = try PassLibrary(at: scratch.url, for: .writing)
        _ = try library.add([TestPass().incoming()])
        try scratch.sqlite("UPDATE versions SET verdict = 'trusted'")
        let pass = try #require(try library.passes().first)
        let service = WebService(
            url: "https://example.com/v1/passes/1", token: "secret", host: "example.com")
        let note = UpdateNote(
            on: pass.current, askedAt: .now, dueAt: nil, failures: 1, outcome: "failed",
            failure: #"{"later":{"#)
        try library.keep([(pass.current, service)], [note])
        #expect(try library.update(of: pass)?.failures == 1)
        #expect(try findings(mend: false) == [])
    }

    @Test("a row from an earlier version, with a text for the failure, can be read and updated")
    func earlier() throws {
        let library = try PassLibrary(at: scratch.url, for: .writing)
        _ = try library.add([TestPass().incoming()])
        try scratch.sqlite("UPDATE versions SET verdict = 'trusted'")
        let pass = try #require(try library.passes().first)
        let service = WebService(
            url: "https://example.com/v1/passes/1", token: "secret", host: "example.com")
        try library.keep([(pass.current, service)])
        try scratch.sqlite(
            """
            ALTER TABLE downloads DROP COLUMN failure;
            ALTER TABLE updates DROP COLUMN failure;
            UPDATE updates SET outcome = 'failed', detail = 'it is busy', failures = 2;
            DELETE FROM grdb_migrations WHERE identifier LIKE '%: failures as data'
            """)
        let again = try PassLibrary(at: scratch.url, for: .writing)
        #expect(try again.update(of: pass)?.failures == 2)
        let note = UpdateNote(
            on: pass.current, askedAt: .now, dueAt: nil, failures: 3, outcome: "failed",
            failure: "{}")
        try again.keep([], [note])
        #expect(try again.update(of: pass)?.failures == 3)
    }
}
