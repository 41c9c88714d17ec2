import Foundation
import PassFixtures
import Testing

@Suite("Spooled passes enter the library once, whatever happens in the meantime")
struct SpooledPassesTests {
    private let home: Home
    private var post: Deliveries

    init() throws {
        home = try Home(named: "spooled")
        post = Deliveries(home: home)
    }

    private var options: [String] { ["--spool=\(home.path("spool"))"] }

    @Test(
        "the library's disk is full, but the spool's is not",
        .enabled(if: Mounts.arePossible, Mounts.reason), .timeLimit(.minutes(3)))
    func full() throws {
        defer { home.remove() }
        var post = post
        try FileManager.default.createDirectory(
            atPath: home.path("disk"), withIntermediateDirectories: true)
        post.prefix = Mounts.prefix(mounting: "disk")
        let outcome = try post.run("spooled", 400, 20, library: "disk/library", options: options)
        #expect(try #require(outcome.codes).allSatisfy { $0 == 0 })
        #expect(outcome.stored == Array(0...20))
        #expect(try #require(outcome.kept) > 0)
        #expect(outcome.left == 0)
    }

    @Test("another program writes to the index for longer than half a minute")
    func locked() throws {
        defer { home.remove() }
        let outcome = try post.run("locked", 36, library: "library", options: options)
        #expect(outcome.codes == [0, 0, 0])
        #expect(outcome.stored == [0, 1, 2])
        #expect(outcome.errors.first?.contains("the message is kept in") == true)
    }

    @Test("the imports are killed", .tags(.repeats), .timeLimit(.minutes(3)))
    func killed() throws {
        defer { home.remove() }
        let kills = rounds(100)
        let outcome = try post.run("draining", 40, kills, library: "library", options: options)
        #expect(try #require(outcome.codes).allSatisfy { $0 == 0 })
        #expect(try #require(outcome.statuses)["-9"] == kills)
        #expect(outcome.kept == 40)
        #expect(outcome.stored == Array(0..<40))
        #expect(outcome.left == 0)
    }
}
