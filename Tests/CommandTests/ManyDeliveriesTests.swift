import Foundation
import PassFixtures
import Testing

@Suite("With many messages and deliveries that fail in any way, each pass is stored once")
struct ManyDeliveriesTests {
    private let home: Home
    private let post: Deliveries

    init() throws {
        home = try Home(named: "many")
        post = Deliveries(home: home)
    }

    private func findings(_ options: String...) throws -> [String] {
        try Program(home: home).run(
            ["library", "check", "--json", "--library", "library"] + options
        )
        .records.filter { $0["record"] as? String == "libraryFinding" }
        .compactMap { $0["code"] as? String }
    }

    private func files(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: home.path("library/\(folder)"))
    }

    @Test("many messages, sixteen at a time", .tags(.repeats), .timeLimit(.minutes(10)))
    func together() throws {
        defer { home.remove() }
        let passes = rounds(250)
        let outcome = try post.run(
            "together", passes, rounds(1400), rounds(350), library: "library")
        #expect(outcome.statuses == ["0": rounds(2000)])
        #expect(outcome.errors == [])
        #expect(outcome.stored == Array(0..<passes))
        // SQLite checkpoints the log into the index at 1,000 pages of 4 KiB, when nobody reads.
        #expect(try #require(outcome.log) < 16 << 20)
        #expect(try findings() == [])
        #expect(try files("temporary") == [])
    }

    @Test("killed many times and delivered again", .tags(.repeats), .timeLimit(.minutes(10)))
    func killed() throws {
        defer { home.remove() }
        let (passes, kills) = (rounds(100), rounds(200))
        let outcome = try post.run("killed", passes, kills, library: "library")
        let statuses = try #require(outcome.statuses)
        #expect(Set(statuses.keys) == ["0", "-9"])
        #expect(try #require(statuses["-9"]) >= kills)
        #expect(outcome.errors == [])
        #expect(outcome.stored == Array(0..<passes))
        #expect(try Set(findings()).isSubset(of: ["leftover-file", "orphan-file"]))
        _ = try findings("--mend")
        #expect(try findings() == [])
        #expect(try files("temporary") == [])
        let again = try post.run("together", passes, 0, 0, library: "library")
        #expect(again.stored == Array(0..<passes))
        #expect(try findings() == [])
    }

    @Test("killed while the index is rebuilt", .tags(.repeats), .timeLimit(.minutes(5)))
    func killedMending() throws {
        defer { home.remove() }
        let outcome = try post.run("mending", 20, rounds(20, least: 5), library: "library")
        let statuses = try #require(outcome.statuses)
        #expect(Set(statuses.keys) == ["-9", "0"], "\(statuses)")
        #expect(outcome.stored == Array(0..<20))
        #expect(outcome.errors == [], "the last one finds it in order")
        _ = try findings("--mend")
        #expect(try findings() == [])
    }

    @Test(
        "many messages take no more memory or files than one", .tags(.repeats),
        .timeLimit(.minutes(10)))
    func many() throws {
        defer { home.remove() }
        let outcome = try post.run("many", 50, rounds(10_000), library: "library")
        #expect(outcome.statuses == ["0": rounds(10_000)])
        #expect(outcome.errors == [])
        #expect(outcome.stored == Array(0..<50))
        #expect(outcome.left == 0)
        for peaks in [outcome.plain, outcome.passes] {
            let peaks = try #require(peaks)
            #expect(peaks[1] < peaks[0] + peaks[0] / 4)
        }
        #expect(try #require(outcome.log) < 16 << 20)
        #expect(try files("temporary") == [])
        #expect(
            try Set(files("")).isSubset(of: [
                "library.sqlite", "library.sqlite-shm", "library.sqlite-wal", "lock", "passes",
                "temporary", "downloads",
            ]))
    }
}
