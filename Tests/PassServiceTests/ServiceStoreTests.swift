import Bytes
import Databases
import Foundation
import PassFixtures
import PassModel
import PassVerification
import Testing

@testable import PassService

@Suite("A store holds the current version of each pass and its registered devices")
struct ServiceStoreTests {
    private let issuer: Issuer
    private let ticket = Issuer.identity("E4")
    private let noon = Date(timeIntervalSince1970: 1_790_000_000)

    init() throws {
        issuer = try Issuer()
    }

    @Test("a pass is added, updated, or unchanged", arguments: Backend.here)
    func publications(backend: Backend) async throws {
        let store = try await StorePlace(backend).open()
        let first = try issuer.pass("E4", gate: "7")
        let second = try issuer.pass("E4", gate: "8")
        #expect(try await store.publish(first) == .added)
        #expect(try await store.publish(first) == .unchanged)
        #expect(try await store.publish(second) == .updated)
        let served = try #require(try await store.file(of: ticket))
        #expect(served.bytes == (try second.octets.array()))
        #expect(served.pass.sha256 == second.sha256)
        // An earlier version may be published again.
        #expect(try await store.publish(first) == .updated)
        #expect(try await store.file(of: ticket)?.bytes == first.octets.array())
    }

    @Test(
        "only trusted passes with a token of 16 characters are published", arguments: Backend.here)
    func refusals(backend: Backend) async throws {
        let store = try await StorePlace(backend).open()
        let apple = PassVerifier()
        let untrusted = try issuer.pass("E4", believing: apple)
        await #expect(throws: ServiceError.notTrusted(ticket, .untrusted)) {
            try await store.publish(untrusted)
        }
        for token in [nil, "", "fifteen-letters"] {
            let pass = try issuer.pass("E4", token: token)
            await #expect(throws: ServiceError.noToken(ticket)) { try await store.publish(pass) }
        }
        let pass = try issuer.pass("E4", token: "sixteen-letters!")
        #expect(try await store.publish(pass) == .added)
    }

    @Test(
        "Last-Modified rises by at least a second with each version",
        arguments: Backend.here,
        [
            (seconds: 0.0, expected: 1.0), (0.9, 1), (1, 1), (2.5, 2), (60, 60),
            // The clock was set back.
            (-1, 1), (-86_400, 1),
        ])
    func modification(
        backend: Backend, change: (seconds: Double, expected: Double)
    ) async throws {
        let store = try await StorePlace(backend).open()
        try await store.publish(issuer.pass("E4", gate: "7"), at: noon)
        try await store.publish(issuer.pass("E4", gate: "8"), at: noon + change.seconds)
        #expect(try await store.pass(ticket)?.modified == noon + change.expected)
    }

    @Test(
        "tags rise across all passes, even after the store is reopened", arguments: Backend.here)
    func tags(backend: Backend) async throws {
        let place = try StorePlace(backend)
        let store = try await place.open()
        var tags: [Int64] = []
        for (serial, gate) in [("E4", "1"), ("E5", "1"), ("E4", "2"), ("E5", "2")] {
            let store = try await place.open(creating: false)
            try await store.publish(issuer.pass(serial, gate: gate))
            tags.append(try #require(try await store.pass(Issuer.identity(serial))).tag)
        }
        #expect(tags == tags.sorted() && Set(tags).count == 4)
        #expect(try await store.status().tag == tags.last)
    }

    @Test(
        "the token of a version is valid only for its pass, even after an update changes it",
        arguments: Backend.here)
    func tokens(backend: Backend) async throws {
        let store = try await StorePlace(backend).open()
        let other = "another-token-of-this-issuer"
        try await store.publish(issuer.pass("E4", gate: "7"))
        try await store.publish(issuer.pass("E4", gate: "8", token: other))
        try await store.publish(issuer.pass("E5", token: "the-token-of-another-pass"))
        #expect(try await store.accepts(Issuer.token, for: ticket))
        #expect(try await store.accepts(other, for: ticket))
        for wrong in ["", "the-token-of-another-pass", Issuer.token + "0", other.uppercased()] {
            #expect(try await !store.accepts(wrong, for: ticket))
        }
        #expect(try await !store.accepts(Issuer.token, for: Issuer.identity("E5")))
        #expect(try await !store.accepts(Issuer.token, for: Issuer.identity("E6")))
    }

    @Test("a device has one push token, the last one that it sent", arguments: Backend.here)
    func pushTokens(backend: Backend) async throws {
        let store = try await StorePlace(backend).open()
        for serial in ["E4", "E5"] { try await store.publish(issuer.pass(serial)) }
        func register(_ token: String, _ serial: String) async throws -> Registration? {
            try await store.register("d1", pushToken: token, for: Issuer.identity(serial))
        }
        #expect(try await register("00", "E4") == .added)
        #expect(try await register("00", "E4") == .known)
        #expect(try await register("01", "E4") == .known)
        #expect(try await register("02", "E5") == .added)
        #expect(try await register("02", "E6") == nil)
        try await store.publish(issuer.pass("E4", gate: "8"))
        let pushes = try await store.claimPushes(limit: 10, lease: 60)
        #expect(pushes.map(\.pushToken) == ["02"])
    }

    @Test("a device without registrations is forgotten", arguments: Backend.here)
    func forgotten(backend: Backend) async throws {
        let store = try await StorePlace(backend).open()
        for serial in ["E4", "E5"] {
            try await store.publish(issuer.pass(serial))
            _ = try await store.register("d1", pushToken: "00", for: Issuer.identity(serial))
        }
        #expect(try await store.status().devices == 1)
        #expect(try await store.unregister("d1", for: ticket))
        #expect(try await !store.unregister("d1", for: ticket))
        #expect(try await store.status().devices == 1)
        #expect(try await store.unregister("d1", for: Issuer.identity("E5")))
        #expect(try await store.status().devices == 0)
    }

    @Test("a list that is too long continues at its tag", arguments: Backend.here)
    func pages(backend: Backend) async throws {
        let place = try StorePlace(backend)
        var limits = ServiceLimits()
        limits.serialNumbers = 2
        let store = try await place.open(limits: limits)
        for serial in ["A", "B", "C", "D", "E"] {
            try await store.publish(issuer.pass(serial))
            _ = try await store.register("d1", pushToken: "00", for: Issuer.identity(serial))
        }
        try await store.publish(issuer.pass("B", gate: "8"))
        var pages: [[String]] = []
        var tag: Int64?
        while let page = try await store.changes(for: "d1", ofType: PassMaker.type, since: tag) {
            pages.append(page.serialNumbers)
            tag = page.tag
        }
        #expect(pages == [["A", "C"], ["D", "E"], ["B"]])
        // A tag of another server, which the store has not reached, means nothing here.
        let all = try await store.changes(
            for: "d1", ofType: PassMaker.type, since: 1_790_000_000)
        #expect(all?.serialNumbers == ["A", "C"])
    }

    @Test("two programs can use a store at once", arguments: Backend.here)
    func together(backend: Backend) async throws {
        let place = try StorePlace(backend)
        let store = try await place.open()
        let versions = try (1...4).map { try issuer.pass("E4", gate: "\($0)") }
        try await store.publish(versions[0])
        let stores = [store, try await place.open(creating: false)]
        let ticket = ticket
        try await withThrowingTaskGroup { group in
            for (number, store) in stores.enumerated() {
                group.addTask {
                    for round in 0..<20 {
                        try await store.publish(versions[(number + round) % 4])
                    }
                }
                group.addTask {
                    for round in 0..<20 {
                        // The file is always that of the version.
                        let served = try #require(try await store.file(of: ticket))
                        #expect(served.bytes.count == served.pass.size)
                        let device = "d\(number)-\(round)"
                        _ = try await store.register(device, pushToken: "00", for: ticket)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await store.status().registrations == 40)
    }

    @Test(
        "the oldest log lines are removed, and the others can be searched", arguments: Backend.here)
    func log(backend: Backend) async throws {
        let place = try StorePlace(backend)
        var limits = ServiceLimits()
        limits.storedLogLines = 3
        let store = try await place.open(limits: limits)
        try await store.log(["one", "two"], at: noon)
        try await store.log(["three", "four"], at: noon + 1)
        #expect(try await store.logLines().map(\.text) == ["four", "three", "two"])
        #expect(try await store.logLines(containing: "t").map(\.text) == ["three", "two"])
        #expect(try await store.logLines(containing: "%").isEmpty)
        #expect(try await store.logLines(limit: 1).map(\.received) == [noon + 1])
        limits.logLineBytes = 5
        let shortening = try await place.open(limits: limits)
        try await shortening.log(["abcdef", "abcdé", "abc\u{1F600}", "éé"], at: noon + 2)
        let texts = try await shortening.logLines().map(\.text)
        #expect(texts == ["éé", "abc", "abcd"])
        #expect(try await store.status().logLines == 3)
    }

    @Test("a missing store is created only on request", arguments: Backend.here)
    func creation(backend: Backend) async throws {
        let place = try StorePlace(backend)
        await #expect(throws: ServiceError.noSuchStore(place.text)) {
            try await place.open(creating: false)
        }
        _ = try await place.open()
        _ = try await place.open(creating: false)
    }

    @Test("only the owner can read the database of SQLite")
    func mode() async throws {
        let store = try await StorePlace().open()
        let attributes = try FileManager.default.attributesOfItem(atPath: store.place)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test("a store of a later version is not opened", arguments: Backend.here)
    func laterVersion(backend: Backend) async throws {
        let place = try StorePlace(backend)
        let store = try await place.open()
        try await store.write { db in try db.rows("UPDATE schemaVersion SET version = 99") }
        await #expect(throws: ServiceError.newerStore(store.place)) { try await place.open() }
    }

    @Test("a store of an earlier version is migrated", arguments: Backend.here)
    func migration(backend: Backend) async throws {
        let place = try StorePlace(backend)
        let earlier = try await place.open()
        try await earlier.publish(issuer.pass("E4"))
        _ = try await earlier.register("d1", pushToken: "00", for: ticket)
        let state = try await earlier.status()
        try await earlier.write { db in
            try db.run(
                script: """
                    DROP TABLE rowImages;
                    DROP TABLE passRows;
                    DROP TABLE templateFiles;
                    DROP TABLE templates;
                    ALTER TABLE passes DROP COLUMN voided;
                    UPDATE schemaVersion SET version = 1;
                    """)
        }
        let store = try await place.open(creating: false)
        #expect(try await store.status() == state)
        #expect(try await store.publish(issuer.pass("E4", gate: "8")) == .updated)
        #expect(try await store.row(of: ticket) == nil)
        #expect(try await store.claimPushes(limit: 10, lease: 60).map(\.pushToken) == ["00"])
    }

    @Test(
        "devices of version 4 that asked for events are removed, and the others stay",
        arguments: Backend.here)
    func eventDevices(backend: Backend) async throws {
        let place = try StorePlace(backend)
        let earlier = try await place.open()
        for serial in ["E4", "E5"] {
            try await earlier.publish(issuer.pass(serial))
            for device in ["phone", "computer"] {
                let identity = Issuer.identity(serial)
                _ = try await earlier.register(device, pushToken: "00", for: identity)
            }
        }
        try await earlier.publish(issuer.pass("E4", gate: "8"))
        #expect(try await earlier.status().pendingPushes == 2)
        try await earlier.write { db in
            try db.run(
                script: """
                    ALTER TABLE devices ADD COLUMN events BIGINT NOT NULL DEFAULT 0;
                    UPDATE devices SET events = 1, pushToken = '' WHERE identifier = 'computer';
                    UPDATE schemaVersion SET version = 4;
                    """)
        }
        let store = try await place.open(creating: false)
        let status = try await store.status()
        #expect(status.devices == 1)
        #expect(status.registrations == 2)
        #expect(try await store.claimPushes(limit: 10, lease: 60).map(\.pushToken) == ["00"])
        #expect(try await store.register("computer", pushToken: "01", for: ticket) == .added)
    }

    @Test("passes are listed by text, the newest first", arguments: Backend.here)
    func list(backend: Backend) async throws {
        let store = try await StorePlace(backend).open()
        for serial in ["E4", "E5", "e4%_"] { try await store.publish(issuer.pass(serial)) }
        try await store.publish(issuer.pass("E4", gate: "8"))
        for device in ["d1", "d2"] {
            _ = try await store.register(device, pushToken: "00", for: ticket)
        }
        for (text, limit, serials) in [
            (nil, 100, ["E4", "e4%_", "E5"]), (nil, 2, ["E4", "e4%_"]), ("", 0, []),
            ("E4", 100, ["E4"]), ("4%", 100, ["e4%_"]), ("E", 1, ["E4"]), ("E_", 100, []),
            ("\(PassMaker.type)/E", 100, ["E4", "E5"]), (PassMaker.type, 1, ["E4"]),
            ("\0", 100, []),
        ] {
            let entries = try await store.passes(matching: text, limit: limit)
            #expect(entries.map(\.pass.identity.serialNumber) == serials, "\(text ?? "-")")
        }
        let entries = try await store.passes()
        #expect(entries.map(\.devices) == [2, 0, 0])
        #expect(entries.first?.pass == (try await store.pass(ticket)))
    }

    @Test(
        "a removed pass leaves nothing behind, and other passes of its devices stay",
        arguments: Backend.here)
    func remove(backend: Backend) async throws {
        let store = try await StorePlace(backend).open()
        let other = Issuer.identity("E5")
        for serial in ["E4", "E5"] { try await store.publish(issuer.pass(serial)) }
        for (device, pass) in [("d1", ticket), ("d2", ticket), ("d2", other), ("d3", other)] {
            _ = try await store.register(device, pushToken: "00", for: pass)
        }
        for serial in ["E4", "E5"] { try await store.publish(issuer.pass(serial, gate: "8")) }
        #expect(try await store.status().pendingPushes == 3)
        let published = try await store.pass(ticket)
        #expect(try await store.remove(ticket) == published)
        #expect(try await store.remove(ticket) == nil)
        #expect(try await store.pass(ticket) == nil)
        #expect(try await store.file(of: ticket) == nil)
        #expect(try await !store.accepts(Issuer.token, for: ticket))
        #expect(try await store.register("d1", pushToken: "00", for: ticket) == nil)
        let status = try await store.status()
        #expect(status.passes == 1 && status.devices == 2 && status.registrations == 2)
        #expect(status.pendingPushes == 2)
        let changes = try await store.changes(for: "d2", ofType: PassMaker.type, since: nil)
        #expect(changes?.serialNumbers == ["E5"])
        #expect(try await store.publish(issuer.pass("E4", gate: "8")) == .added)
        #expect(try await store.pass(ticket)?.downloadKey != published?.downloadKey)
        #expect(try await store.status().registrations == 2)
    }

    @Test(
        "a pass is removed while devices register and another program publishes it",
        arguments: Backend.here)
    func removeMeanwhile(backend: Backend) async throws {
        let place = try StorePlace(backend)
        let store = try await place.open()
        let versions = try (1...2).map { try issuer.pass("E4", gate: "\($0)") }
        let (ticket, other) = (ticket, Issuer.identity("E5"))
        try await store.publish(issuer.pass("E5"))
        let publisher = try await place.open(creating: false)
        try await withThrowingTaskGroup { group in
            group.addTask {
                for round in 0..<30 { try await publisher.publish(versions[round % 2]) }
            }
            group.addTask {
                for _ in 0..<30 { try await store.remove(ticket) }
            }
            group.addTask {
                for _ in 0..<30 {
                    let pushes = try await store.claimPushes(limit: 10, lease: 60)
                    try await store.settle(pushes.map { ($0, .invalidToken) })
                }
            }
            for number in 0..<3 {
                group.addTask {
                    for round in 0..<30 {
                        let pass = round % 2 == 0 ? ticket : other
                        _ = try await publisher.register("d\(number)", pushToken: "00", for: pass)
                        if round % 3 == 0 {
                            try await publisher.unregister("d\(number)", for: pass)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        try await store.remove(ticket)
        try await store.remove(other)
        let status = try await store.status()
        #expect(status.passes == 0 && status.devices == 0 && status.registrations == 0)
        #expect(status.pendingPushes == 0)
    }

    @Test("a void file can be replaced by a valid one", arguments: Backend.here)
    func voidFiles(backend: Backend) async throws {
        let store = try await StorePlace(backend).open()
        for isVoided in [false, true, true, false] {
            let before = try await store.pass(ticket)
            let pass = try issuer.pass("E4", gate: "\(before?.tag ?? 0)", isVoided: isVoided)
            let file = try await store.publishFile(pass)
            #expect(file.wasVoided == (before?.isVoided == true && !isVoided))
            #expect(try await store.pass(ticket)?.isVoided == isVoided)
        }
    }

    @Test("a pass with too many devices accepts no more", arguments: Backend.here)
    func tooManyDevices(backend: Backend) async throws {
        var limits = ServiceLimits()
        limits.devicesPerPass = 2
        let store = try await StorePlace(backend).open(limits: limits)
        try await store.publish(issuer.pass("E4"))
        for device in ["d1", "d2", "d1"] {
            _ = try await store.register(device, pushToken: "00", for: ticket)
        }
        await #expect(throws: ServiceError.tooManyDevices(ticket)) {
            try await store.register("d3", pushToken: "00", for: ticket)
        }
        #expect(try await store.status().devices == 2)
    }

    @Test("the key of the download page belongs to one pass and stays", arguments: Backend.here)
    func downloadKeys(backend: Backend) async throws {
        let store = try await StorePlace(backend).open()
        var keys: Set<String> = []
        for (serial, gate) in [("E4", "7"), ("E5", "7"), ("E4", "8")] {
            try await store.publish(issuer.pass(serial, gate: gate))
            let pass = try #require(try await store.pass(Issuer.identity(serial)))
            keys.insert(pass.downloadKey)
            #expect(pass.downloadKey.count == 32)
            #expect(try await store.pass(downloadKey: pass.downloadKey) == pass)
        }
        #expect(keys.count == 2)
        #expect(try await store.pass(downloadKey: "") == nil)
    }
}
