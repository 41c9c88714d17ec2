import Bytes
import Foundation
import PassFixtures
import PassModel
import PassVerification
import Testing

@testable import PassService

@Suite("A store holds the current version of each pass, and who wants to know about the next one")
struct ServiceStoreTests {
    private let issuer: Issuer
    private let store: ServiceStore
    private let ticket = Issuer.identity("E4")
    private let noon = Date(timeIntervalSince1970: 1_790_000_000)

    init() throws {
        issuer = try Issuer()
        store = try PassServiceTests.store()
    }

    @Test("a pass is added, updated, or unchanged")
    func publications() async throws {
        let first = try issuer.pass("E4", gate: "7")
        let second = try issuer.pass("E4", gate: "8")
        #expect(try await store.publish(first) == .added)
        #expect(try await store.publish(first) == .unchanged)
        #expect(try await store.publish(second) == .updated)
        let served = try #require(try await store.file(of: ticket))
        #expect(served.bytes == (try second.octets.array()))
        #expect(served.pass.sha256 == second.sha256)
        // The file of the first version is gone; the folder names are the beginnings of digests.
        let files = try FileManager.default.subpathsOfDirectory(atPath: store.folder.path)
        #expect(
            files.filter { $0.hasSuffix(".pkpass") } == [
                "passes/\(second.sha256.prefix(2))/\(second.sha256).pkpass"
            ])
        // An earlier version may be published again.
        #expect(try await store.publish(first) == .updated)
        #expect(try await store.file(of: ticket)?.bytes == first.octets.array())
    }

    @Test("only trusted passes with a token of 16 characters are published")
    func refusals() async throws {
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
        arguments: [
            (seconds: 0.0, expected: 1.0), (0.9, 1), (1, 1), (2.5, 2), (60, 60),
            // The clock was set back.
            (-1, 1), (-86_400, 1),
        ])
    func modification(seconds: Double, expected: Double) async throws {
        try await store.publish(issuer.pass("E4", gate: "7"), at: noon)
        try await store.publish(issuer.pass("E4", gate: "8"), at: noon + seconds)
        #expect(try await store.pass(ticket)?.modified == noon + expected)
    }

    @Test("tags rise over all passes, also after the store was opened again")
    func tags() async throws {
        var tags: [Int64] = []
        for (serial, gate) in [("E4", "1"), ("E5", "1"), ("E4", "2"), ("E5", "2")] {
            let store = try ServiceStore(at: store.folder, creating: false)
            try await store.publish(issuer.pass(serial, gate: gate))
            tags.append(try #require(try await store.pass(Issuer.identity(serial))).tag)
        }
        #expect(tags == tags.sorted() && Set(tags).count == 4)
        #expect(try await store.status().tag == tags.last)
    }

    @Test("the token of a version is valid for this pass only, also after an update changed it")
    func tokens() async throws {
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

    @Test("a device has one push token, the last that it sent")
    func pushTokens() async throws {
        for serial in ["E4", "E5"] { try await store.publish(issuer.pass(serial)) }
        func register(_ token: String, _ serial: String) async throws -> Registration? {
            try await store.register("d1", pushToken: token, for: Issuer.identity(serial))
        }
        #expect(try await register("00", "E4") == .added)
        #expect(try await register("00", "E4") == .known)
        #expect(try await register("01", "E4") == .known)
        #expect(try await register("02", "E5") == .added)
        #expect(try await register("02", "E6") == nil)
        let program = """
            import sqlite3, sys
            database = sqlite3.connect(sys.argv[1])
            print(database.execute("select identifier, pushToken from devices").fetchall())
            """
        let path = store.folder.appending(path: "service.sqlite").path
        let output = try run(["python3", "-c", program, path], input: [])
        #expect(String(streamSafe: output) == "[('d1', '02')]\n")
    }

    @Test("a device without registrations is forgotten")
    func forgotten() async throws {
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

    @Test("a list that is too long continues at its tag")
    func pages() async throws {
        var limits = ServiceLimits()
        limits.serialNumbers = 2
        let store = try ServiceStore(at: store.folder, limits: limits)
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

    @Test("two programs can use a store at once")
    func together() async throws {
        let versions = try (1...4).map { try issuer.pass("E4", gate: "\($0)") }
        try await store.publish(versions[0])
        let stores = try (0..<2).map { _ in try ServiceStore(at: store.folder, creating: false) }
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
        let files = try FileManager.default.subpathsOfDirectory(atPath: store.folder.path)
        #expect(files.count { $0.hasSuffix(".pkpass") } == 1)
    }

    @Test("the oldest log lines are removed, and the others can be searched")
    func log() async throws {
        var limits = ServiceLimits()
        limits.storedLogLines = 3
        let store = try ServiceStore(at: store.folder, limits: limits)
        try await store.log(["one", "two"], at: noon)
        try await store.log(["three", "four"], at: noon + 1)
        #expect(try await store.logLines().map(\.text) == ["four", "three", "two"])
        #expect(try await store.logLines(containing: "t").map(\.text) == ["three", "two"])
        #expect(try await store.logLines(containing: "%").isEmpty)
        #expect(try await store.logLines(limit: 1).map(\.received) == [noon + 1])
        #expect(try await store.status().logLines == 3)
    }

    @Test("a missing store is created only if that is wanted, for its owner only")
    func creation() throws {
        let folder = try fixtureFolder().appending(path: "store")
        let path = folder.path
        #expect(throws: ServiceError.noSuchStore(path)) {
            try ServiceStore(at: folder, creating: false)
        }
        _ = try ServiceStore(at: folder)
        let attributes = try FileManager.default.attributesOfItem(
            atPath: folder.appending(path: "service.sqlite").path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
}
