import Foundation
import PassFixtures
import PassModel
import PassStore
import PassVerification
import Testing

@Suite("The library selects the passes whose web services should be contacted")
struct UpdatingTests {
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

    @discardableResult
    private func add(_ serial: String, note: String = "", date: Date? = nil) throws -> StoredPass {
        let file = try issuer.sign(TestPass(serial: serial, note: note))
        _ = try library.add([IncomingPass(file, date: date, by: verifier)])
        return try library.pass(named: "pass.com.example.ticket/\(serial)")
    }

    private func offer(_ pass: StoredPass, _ host: String = "example.com") throws {
        let url = "https://\(host)/v1/passes/\(pass.serialNumber)"
        try library.keep(
            [(pass.current, WebService(url: url, token: "secret", host: host))])
    }

    private func answer(
        _ pass: StoredPass, at time: Double, due: Double?, lastModified: String? = nil,
        failures: Int = 0
    ) throws {
        let note = UpdateNote(
            on: pass.current, lastModified: lastModified, askedAt: now.addingTimeInterval(time),
            dueAt: due.map { now.addingTimeInterval($0) }, failures: failures, outcome: "unchanged")
        try library.keep([], [note])
    }

    /// The serial numbers of the passes due in this many seconds, page by page.
    private func due(
        _ seconds: Double?, from host: String = "example.com", limit: Int = 100
    ) throws -> [String] {
        var serials: [String] = []
        var last: PassUpdate?
        while true {
            let page = try library.updates(
                from: host, dueAt: seconds.map { now.addingTimeInterval($0) },
                notAskedSince: .distantFuture, after: last, limit: limit)
            guard let end = page.last else { return serials }
            serials += page.map(\.stored.serialNumber)
            last = end
        }
    }

    @Test("each trusted version is examined once")
    func lookedAt() throws {
        let passes = try ["1", "2", "3"].map { try add($0) }
        _ = try library.add([TestPass(serial: "unsigned").incoming()])
        func unknown(after number: Int64 = 0, limit: Int = 10) throws -> [String] {
            try library.passesToLookAt(after: number, limit: limit).map(\.serialNumber)
        }
        #expect(try unknown() == ["1", "2", "3"])
        #expect(try unknown(limit: 2) == ["1", "2"])
        #expect(try unknown(after: passes[1].id) == ["3"])
        try offer(passes[0])
        try library.keep([(passes[1].current, nil)])
        #expect(try unknown() == ["3"])
        // The record of the earlier version does not apply to this one.
        try add("1", note: "newer", date: now)
        #expect(try unknown() == ["1", "3"])
        #expect(try due(nil) == [])
    }

    @Test("passes are listed if they are due, the least recently requested first")
    func order() throws {
        let passes = try ["1", "2", "3", "4", "5"].map { try add($0) }
        for pass in passes { try offer(pass) }
        #expect(try due(0) == ["1", "2", "3", "4", "5"])
        try answer(passes[0], at: 30, due: 100)
        try answer(passes[1], at: 20, due: 200)
        try answer(passes[2], at: 10, due: nil)
        try answer(passes[3], at: 40, due: 100)
        #expect(try due(0) == ["5"])
        #expect(try due(100) == ["5", "1", "4"])
        #expect(try due(200) == ["5", "2", "1", "4"])
        for limit in 1...6 { #expect(try due(nil, limit: limit) == ["5", "3", "2", "1", "4"]) }
        let since = try library.updates(
            from: "example.com", dueAt: nil, notAskedSince: now.addingTimeInterval(20), after: nil,
            limit: 9)
        #expect(since.map(\.stored.serialNumber) == ["5", "3"])
    }

    @Test("hosts are listed by their last request, the oldest first")
    func hosts() throws {
        let passes = try ["1", "2", "3", "4"].map { try add($0) }
        for (pass, host) in zip(passes, ["a.example", "b.example", "a.example", "c.example"]) {
            try offer(pass, host)
        }
        func hosts(_ seconds: Double) throws -> [String] {
            try library.hostsOfUpdates(dueAt: now.addingTimeInterval(seconds))
                .map { "\($0.host) \($0.passes)" }
        }
        #expect(try hosts(0) == ["a.example 2", "b.example 1", "c.example 1"])
        try answer(passes[0], at: 10, due: 50)
        try answer(passes[2], at: 20, due: 50)
        try answer(passes[3], at: 5, due: nil)
        #expect(try hosts(0) == ["b.example 1"])
        #expect(try hosts(50) == ["b.example 1", "a.example 2"])
        // A host that asks clients to wait, with passes due before and after that time.
        let later = now.addingTimeInterval(300)
        try library.keep(leavingAlone: ["a.example": later, "c.example": later])
        #expect(try hosts(299) == ["b.example 1"])
        #expect(try hosts(300) == ["b.example 1", "a.example 2"])
        try library.keep(leavingAlone: ["a.example": now.addingTimeInterval(100)])
        #expect(try hosts(299) == ["b.example 1"])
    }

    @Test("a pause recorded in the future, by a clock that was ahead, is ignored")
    func ahead() throws {
        let passes = try ["1", "2", "3", "4"].map { try add($0) }
        for pass in passes.dropLast() { try offer(pass) }
        try offer(passes[3], "other.example")
        try answer(passes[0], at: 1000, due: 2000, failures: 2)
        try answer(passes[1], at: 1000, due: nil)
        try answer(passes[2], at: -10, due: 50)
        try answer(passes[3], at: -10, due: 50)
        try library.keep(leavingAlone: ["example.com": now.addingTimeInterval(3000)])
        #expect(try due(0) == [])
        try library.forgetUpdates(after: now.addingTimeInterval(1000))
        #expect(try due(0) == [])
        try library.forgetUpdates(after: now)
        // A refused pass is still not requested again.
        #expect(try due(0) == ["1", "3"])
        #expect(try due(0, from: "other.example") == [])
        #expect(try library.update(of: passes[1])?.askedAt == Date(timeIntervalSince1970: 0))
        #expect(try library.update(of: passes[2])?.askedAt == now.addingTimeInterval(-10))
    }

    @Test("a response is recorded for the version requested, with the server's time")
    func notes() throws {
        let first = try add("1")
        try offer(first)
        try answer(first, at: 1, due: 2, lastModified: "Sun, 06 Nov 1994 08:49:37 GMT", failures: 3)
        var known = try #require(try library.update(of: first))
        #expect(known.lastModified == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(known.failures == 3)
        #expect(known.askedAt == now.addingTimeInterval(1))
        #expect(known.service.token == "secret")
        try answer(first, at: 5, due: 6)
        known = try #require(try library.update(of: first))
        #expect(known.lastModified == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(known.failures == 0)

        let second = try add("1", note: "newer", date: now)
        #expect(try library.update(of: second) == nil)
        try offer(second)
        // The response for the previous version arrives late.
        try answer(first, at: 9, due: nil, lastModified: "late")
        known = try #require(try library.update(of: second))
        #expect(known.lastModified == nil)
        #expect(known.failures == 0)
        #expect(try due(0) == ["1"])
    }

    @Test("the record is deleted with the pass")
    func removed() throws {
        let pass = try add("1")
        try offer(pass)
        try library.remove(pass.identity)
        #expect(try due(nil) == [])
        try offer(pass)
        try answer(pass, at: 1, due: 0)
        #expect(try due(nil) == [])
        #expect(try library.update(of: pass) == nil)
        // A check would report rows without a pass.
        let check = try PassLibrary.check(at: scratch.url, mend: false) { _ in nil }
        #expect(check.findings == [])
    }

    @Test("a pass whose automatic updates are off is requested only if it is named")
    func off() throws {
        let passes = try ["1", "2", "3"].map { try add($0) }
        for pass in passes { try offer(pass) }
        func hosts(_ seconds: Double?) throws -> [String] {
            try library.hostsOfUpdates(dueAt: seconds.map { now.addingTimeInterval($0) })
                .map { "\($0.host) \($0.passes)" }
        }
        try library.set(.updatesAutomatically, to: false, of: [passes[1].identity])
        try library.set(.showsNotifications, to: false, of: [passes[2].identity])
        for seconds in [0, nil] as [Double?] {
            #expect(try due(seconds) == ["1", "3"])
            #expect(try hosts(seconds) == ["example.com 2"])
        }
        #expect(try library.update(of: passes[1])?.service.token == "secret")
        // The setting stays with a new version.
        try offer(try add("2", note: "newer", date: now))
        #expect(try due(0) == ["1", "3"])
        try library.setUpdatesAutomatically(false)
        for seconds in [0, nil] as [Double?] {
            #expect(try due(seconds) == [])
            #expect(try hosts(seconds) == [])
        }
        for pass in passes.dropFirst(2) { #expect(try library.update(of: pass) != nil) }
        try library.set(.updatesAutomatically, to: true, of: [passes[1].identity])
        #expect(try due(0) == [])
        try library.setUpdatesAutomatically(true)
        #expect(try due(0) == ["1", "2", "3"])
    }

    @Test("a pass that is no longer trusted is not requested")
    func distrusted() throws {
        let file = try issuer.sign(TestPass(serial: "1"))
        _ = try library.add([IncomingPass(file, by: verifier)])
        let pass = try library.pass(named: "1")
        try offer(pass)
        #expect(try due(0) == ["1"])
        try scratch.sqlite("UPDATE versions SET verdict = 'untrusted'")
        #expect(try due(0) == [])
        #expect(try library.hostsOfUpdates(dueAt: nil).isEmpty)
        #expect(try library.update(of: pass) == nil)
        #expect(try library.passesToLookAt(after: 0, limit: 9).isEmpty)
    }
}
