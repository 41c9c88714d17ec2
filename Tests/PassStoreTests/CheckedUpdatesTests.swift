import Foundation
import PassStore
import Testing

@Suite("An unreadable record of updates is deleted")
struct CheckedUpdatesTests {
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
        let library = try PassLibrary(at: scratch.url)
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
}
