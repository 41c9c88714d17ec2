import Foundation
import PassFixtures
import PassModel
import PassStore
import PassVerification
import Testing

@Suite("The library stores when messages may be sent to the logs of web services")
struct ServiceLogsTests {
    private static let type = "pass.com.example.ticket"

    private let scratch = Scratch()
    private let issuer: PassMaker
    private let library: PassLibrary
    private let verifier: PassVerifier
    private let now = Date(timeIntervalSince1970: 1_700_000_000)

    init() throws {
        issuer = try .ofTickets()
        library = try PassLibrary(at: scratch.url, for: .writing)
        verifier = PassVerifier(anchors: try TrustAnchors.apple.adding(issuer.authorityCertificate))
    }

    /// Adds a pass, or a newer version of it, with a web service.
    @discardableResult
    private func add(
        _ serial: String, _ file: [UInt8]? = nil, at base: String = "https://example.com",
        note: String = "",
        token: String = "secret"
    ) throws -> PassUpdate {
        let file = try file ?? issuer.sign(TestPass(serial: serial, note: note))
        _ = try library.add([IncomingPass(file, date: now, by: verifier)])
        let pass = try library.pass(named: "\(Self.type)/\(serial)")
        let url = "\(base)/v1/passes/\(Self.type)/\(serial)"
        try library.keep([
            (pass.current, WebService(url: url, token: token, host: "example.com"))
        ])
        return try update(serial)
    }

    private func update(_ serial: String) throws -> PassUpdate {
        let pass = try library.pass(named: "\(Self.type)/\(serial)")
        return try #require(try library.update(of: pass))
    }

    @Test(
        "messages are sent to a log once within the time, and not before a later one if it says so")
    func log() throws {
        func mayLog(_ url: String, _ seconds: Double) throws -> Bool {
            let time = now.addingTimeInterval(seconds)
            return try library.mayLog(
                to: url, host: "example.com", at: time, next: time.addingTimeInterval(100))
        }
        let (one, other) = ("https://example.com/1", "https://example.com/2")
        #expect(try mayLog(one, 0))
        #expect(try !mayLog(one, 0))
        #expect(try !mayLog(one, 99))
        #expect(try mayLog(other, 99))
        #expect(try mayLog(one, 100))
        try library.postponeLog(of: one, until: now.addingTimeInterval(1000))
        #expect(try !mayLog(one, 999))
        #expect(try mayLog(other, 999))
        #expect(try mayLog(one, 1000))
    }

    @Test("the next update is that of the pass that is due first, without http unless allowed")
    func next() throws {
        #expect(try library.nextUpdate(includingHTTP: true) == nil)
        for (serial, base, due) in [
            ("1", "https://example.com", 300.0), ("2", "https://example.com", 200),
            ("3", "http://example.com", 100), ("4", "https://example.com", nil),
        ] as [(String, String, Double?)] {
            let update = try add(serial, at: base)
            let note = UpdateNote(
                on: update.stored.current, askedAt: now,
                dueAt: due.map { now.addingTimeInterval($0) }, failures: 0, outcome: "unchanged")
            try library.keep([], [note])
        }
        #expect(try library.nextUpdate(includingHTTP: true) == now.addingTimeInterval(100))
        #expect(try library.nextUpdate(includingHTTP: false) == now.addingTimeInterval(200))
        try library.set(.updatesAutomatically, to: false, of: [try update("2").stored.identity])
        #expect(try library.nextUpdate(includingHTTP: false) == now.addingTimeInterval(300))
        try library.setUpdatesAutomatically(false)
        #expect(try library.nextUpdate(includingHTTP: true) == nil)
    }

    @Test(
        "a check finds an unreadable service, and a repair forgets it",
        arguments: [
            "UPDATE services SET url = x'00FF'", "UPDATE services SET host = x'00FF'",
            "UPDATE services SET logAt = 'soon'",
        ])
    func check(damage: String) throws {
        try add("1")
        #expect(
            try library.mayLog(to: "https://example.com", host: "example.com", at: now, next: now))
        func check(mend: Bool) throws -> [String] {
            try PassLibrary.check(at: scratch.url, mend: mend) { _ in nil }.findings
                .map(\.code.rawValue)
        }
        #expect(try check(mend: false) == [])
        try scratch.sqlite(damage)
        #expect(try check(mend: false) == ["wrong-updates"])
        #expect(try check(mend: true) == ["wrong-updates"])
        #expect(try check(mend: false) == [])
        let mended = try PassLibrary(at: scratch.url, for: .writing)
        #expect(try mended.pass(named: "1").serialNumber == "1")
        #expect(
            try mended.mayLog(to: "https://example.com", host: "example.com", at: now, next: now))
    }
}
