import Foundation
import PassFixtures
import PassModel
import PassStore
import PassVerification
import Testing

@Suite("The library stores its registrations at web services, and which of them have to end")
struct RegisteringTests {
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

    private func service(
        _ url: String = "https://example.com", host: String = "example.com"
    ) throws -> EventService {
        try library.addEventService(url, host: host)
    }

    /// Adds passes and records their registrations.
    private func register(_ serials: [String], at service: EventService) throws {
        for serial in serials {
            let update = try add(serial, at: service.url)
            try library.keep([.made(update, service: service.id, .registered, dueAt: now)])
        }
    }

    /// The serial numbers of the registrations to be ended.
    private func leaving(at seconds: Double = 0) throws -> [String] {
        try library.markLeavingRegistrations()
        return try library.leavingRegistrations(
            at: now.addingTimeInterval(seconds), after: nil, limit: 100
        ).map(\.identity.serialNumber)
    }

    @Test("a device identifier has 128 random bits, differs per host, and stays the same")
    func identifiers() throws {
        let count = 200
        let services = try (0..<count).map {
            try service("https://\($0).example", host: "\($0).example")
        }
        let devices = services.map(\.device)
        #expect(devices.allSatisfy { $0.wholeMatch(of: /[0-9a-f]{32}/) != nil })
        #expect(Set(devices).count == count)
        // Each bit is set in half of them, give or take six standard deviations.
        let limit = 6 * (Double(count) / 4).squareRoot()
        for digit in 0..<32 {
            let values = devices.map { Int(String(Array($0)[digit]), radix: 16) ?? 0 }
            for bit in 0..<4 {
                let ones = values.count { $0 >> bit & 1 == 1 }
                #expect(abs(Double(ones) - Double(count) / 2) < limit, "\(digit) \(bit): \(ones)")
            }
        }
        let more = try service("https://0.example/a", host: "0.example")
        #expect(more.device == devices[0])
        #expect(more.id != services[0].id)
        try library.removeEventService(services[0])
        #expect(try !library.eventServices().map(\.url).contains("https://0.example"))
        let again = try service("https://0.example", host: "0.example")
        #expect(again == services[0])
        let other = try PassLibrary(at: scratch.url, for: .writing)
        #expect(
            try other.eventServices().map(\.device).sorted() == (devices + [devices[0]]).sorted())
    }

    @Test("the registration of a removed pass has to end, at its service and with its token")
    func removed() throws {
        let service = try service()
        try register(["1", "2", "3"], at: service)
        #expect(try leaving() == [])
        try library.remove(try update("2").stored.identity)
        #expect(try leaving() == ["2"])
        let registration = try #require(
            try library.leavingRegistrations(at: now, after: nil, limit: 9).first)
        #expect(registration.url == "https://example.com/v1/passes/\(Self.type)/2")
        #expect(registration.token == "secret")
        #expect(registration.service == service)
        #expect(registration.attempts == 0)
        // Later, again and again, until it has ended.
        for attempt in 1...3 {
            try library.keep([.notEnded(registration, dueAt: now.addingTimeInterval(100))])
            #expect(try leaving(at: 99) == [])
            let later = try library.leavingRegistrations(
                at: now.addingTimeInterval(100), after: nil, limit: 9)
            #expect(later.map(\.attempts) == [attempt])
        }
        try library.keep([.ended(registration)])
        #expect(try leaving(at: 1000) == [])
        #expect(try library.registeredTypes(at: service) == [Self.type])
    }

    @Test("so do those of passes with another service, that are not trusted, or not updated")
    func others() throws {
        let old = try service()
        let new = try service("https://example.com/new")
        try register(["1", "3", "4", "5"], at: old)
        let file = try issuer.sign(TestPass(serial: "2"))
        try library.keep([.made(try add("2", file), service: old.id, .registered, dueAt: now)])
        try add("1", at: new.url, note: "newer")
        let untrusted = try library.pass(named: "\(Self.type)/2").current.id
        try scratch.sqlite("UPDATE versions SET verdict = 'untrusted' WHERE id = \(untrusted)")
        try library.set(.updatesAutomatically, to: false, of: [try update("3").stored.identity])
        // A newer version with another token is still the same registration.
        try add("4", note: "newer", token: "other")
        #expect(try leaving() == ["1", "2", "3"])
        try library.setUpdatesAutomatically(false)
        #expect(try leaving() == ["1", "2", "3", "4", "5"])
        // Registered again before the service was told: that is no longer to be ended.
        try library.setUpdatesAutomatically(true)
        let all = try library.leavingRegistrations(at: now, after: nil, limit: 9)
        let update = try update("5")
        try library.keep([.made(update, service: old.id, .registered, dueAt: now)])
        try library.keep(all.map { .ended($0) })
        #expect(try self.update("5").registration?.state == .registered)
        #expect(try leaving() == [])
    }

    @Test("registrations to be ended are listed in pages")
    func pages() throws {
        let service = try service()
        let serials = (10..<20).map { "\($0)" }
        try register(serials, at: service)
        try library.setUpdatesAutomatically(false)
        try library.markLeavingRegistrations()
        for limit in [1, 3, 10, 11] {
            var (last, found): (String?, [String]) = (nil, [])
            while true {
                let page = try library.leavingRegistrations(at: now, after: last, limit: limit)
                #expect(page.count <= limit)
                guard let end = page.last else { break }
                last = end.url
                found += page.map(\.identity.serialNumber)
            }
            #expect(found == serials)
        }
    }

    @Test("the registered passes among those of a list, and the number of unknown ones")
    func listed() throws {
        let (one, other) = (try service(), try service("https://example.com/other"))
        try register(["1", "2", "3"], at: one)
        try register(["4"], at: other)
        try library.keep([.made(try add("5"), service: one.id, .refused, dueAt: now)])
        try add("6")
        try library.set(.updatesAutomatically, to: false, of: [try update("3").stored.identity])
        let serials = ["1", "2", "3", "4", "5", "6", "7", "", "1 ", "%"]
        func found(_ service: EventService, _ type: String = Self.type) throws -> [String] {
            try library.updates(at: service, ofType: type, serialNumbers: serials)
                .map(\.stored.serialNumber)
        }
        #expect(try found(one) == ["1", "2"])
        #expect(try found(other) == ["4"])
        #expect(try found(one, "pass.com.example.other") == [])
        #expect(
            try library.unknownRegistrations(at: one, ofType: Self.type, serialNumbers: serials)
                == 6)
        #expect(
            try library.unknownRegistrations(at: other, ofType: "x", serialNumbers: serials) == 10)
    }

    @Test("tags are stored per service and type, and forgotten if registrations are lost")
    func tags() throws {
        let (one, other) = (try service(), try service("https://example.com/other"))
        try register(["1", "2"], at: one)
        try register(["3"], at: other)
        func note(_ service: EventService, _ type: String, _ tag: String) throws {
            try library.keep([.listed(service: service.id, passTypeIdentifier: type, tag: tag)])
        }
        try note(one, "a", "1")
        try note(one, "b", "2")
        try note(other, "a", "3")
        try note(one, "a", "0")
        func tags() throws -> [[ExactText: String]] { try library.eventServices().map(\.tags) }
        #expect(try tags() == [["a": "0", "b": "2"], ["a": "3"]])
        for serial in ["1", "2", "3"] {
            let pass = try update(serial).stored.current
            try library.keep(
                [],
                [
                    UpdateNote(
                        on: pass, askedAt: now, dueAt: now.addingTimeInterval(3600), failures: 0,
                        outcome: "unchanged")
                ])
        }
        try library.registerAgain(at: one)
        #expect(try tags() == [[:], ["a": "3"]])
        let due = try ["1", "2", "3"].map { try update($0).registration?.dueAt }
        let never = Date(timeIntervalSince1970: 0)
        #expect(due == [never, never, now])
        // The passes are due, so that they are registered.
        let passes = try library.updates(
            from: "example.com", dueAt: now, notAskedSince: .distantFuture, after: nil, limit: 9)
        #expect(passes.map(\.stored.serialNumber) == ["1", "2"])
        try library.removeEventService(other)
        #expect(try service(other.url).tags == [:])
        #expect(try update("3").registration?.dueAt == never)
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
        // A service with a log does not announce events.
        #expect(try library.eventServices() == [])
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
        "a check finds an unreadable registration, service or tag, and a repair forgets it",
        arguments: [
            "UPDATE registrations SET state = 'many'", "UPDATE registrations SET dueAt = 'soon'",
            "UPDATE registrations SET token = x'00FF'", "UPDATE services SET url = x'00FF'",
            "UPDATE devices SET identifier = x'00FF'", "UPDATE tags SET tag = x'00FF'",
        ])
    func check(damage: String) throws {
        let service = try service()
        try register(["1"], at: service)
        try library.keep([.listed(service: service.id, passTypeIdentifier: Self.type, tag: "1")])
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
        #expect(try mended.eventServices() == [])
        _ = try mended.addEventService("https://example.com", host: "example.com")
    }
}
