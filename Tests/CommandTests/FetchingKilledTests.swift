import Foundation
import Loopback
import PassFixtures
import Testing

@Suite("A download killed at any moment resumes and requests only the missing bytes")
struct FetchingKilledTests {
    enum Victim: String, CaseIterable {
        case passconduit
        case fetch = "passconduit-fetch"
    }

    private let home: FetchingHome
    private let pass: Data

    init() throws {
        home = try FetchingHome()
        pass = try FetchingHome.pass("0001") { $0.picture = 5_000_000 }
    }

    @Test("Either of the two programs is killed", .tags(.repeats), arguments: Victim.allCases)
    func killed(victim: Victim) async throws {
        defer { home.remove() }
        let answer = Answer.pass(pass).ranges().tagged("\"a\"")
        try await LoopbackServer.run { server in
            for round in 0..<rounds(6, least: 2) {
                let path = "/\(round).pkpass"
                server.serve(path, answer.paced(bytesPerSecond: 1_000_000), answer)
                let library = home.home.path("library-\(round)")
                let place = ["--library", library]
                let run = try start(server.url(path), place)
                try await server.waits { $0.contains { $0.path == path && $0.sent > 0 } }
                let moments: Range<Int> = round.isMultiple(of: 2) ? 0..<2_500 : 2_500..<4_500
                try await Task.sleep(for: .milliseconds(Int.random(in: moments)))
                try kill(victim, of: run)
                let result = try run.finish()
                #expect(result.status == (victim == .fetch ? 2 : 128 + 9), "\(result.errors)")
                try await server.waits { $0.last?.end != nil }

                let listed = try home.program.run(["downloads", "list", "--json"] + place)
                #expect(listed.records.count == 1)
                let kept = try part(in: library)
                let words = ["downloads", "resume", "--json"] + place
                let resumed = try home.program.run(words)
                #expect(resumed.status == 0, "\(resumed.output) \(resumed.errors)")
                #expect(resumed.pass?["import"] as? String == "added")
                let requests = server.requests(for: path)
                #expect(requests.count == 2)
                // Progress is stored once a second. A download killed before that starts over.
                let isTold = victim == .fetch || round % 2 == 1 || requests.last?["Range"] != nil
                #expect(requests.last?["Range"] == (isTold ? "bytes=\(kept)-" : nil))
                #expect(requests.last?.sent == pass.count - (isTold ? kept : 0))
                try check(library)
            }
        }
    }

    @Test("Both programs are killed in the middle of a queue")
    func both() async throws {
        defer { home.remove() }
        let answer = Answer.pass(pass).ranges().tagged("\"a\"")
        let paths = (0..<6).map { "/\($0).pkpass" }
        try await LoopbackServer.run { server in
            for path in paths {
                server.serve(path, answer.paced(bytesPerSecond: 1_000_000), answer)
            }
            let library = home.home.path("library")
            let run = try Started(
                home.program,
                ["import", "--library", library] + paths.map { server.url($0) }
                    + (try FetchingHome.options))
            try await server.waits { $0.contains { $0.sent > 3_000_000 } }
            let child = run.child(Victim.fetch.rawValue)
            Foundation.kill(run.process.processIdentifier, SIGKILL)
            if let child { Foundation.kill(child, SIGKILL) }
            _ = try run.finish()
            let begun = server.requests.count
            let words = ["downloads", "resume", "--library", library]
            let resumed = try home.program.run(words + (try FetchingHome.options))
            #expect(resumed.status == 0, "\(resumed.errors)")
            let listed = try home.program.run(
                ["downloads", "list", "--all", "--json", "--library", library])
            #expect(listed.records.map { $0["state"] as? String } == paths.map { _ in "finished" })
            // Downloads that had begun resume, and the others start.
            #expect(server.requests.count == begun + paths.count)
            #expect(server.requests.dropFirst(begun).filter { $0["Range"] != nil }.count == begun)
            try check(library)
        }
    }

    private func start(_ url: String, _ place: [String]) throws -> Started {
        try Started(home.program, ["import", url] + place + (try FetchingHome.options))
    }

    private func kill(_ victim: Victim, of run: Started) throws {
        let pid =
            victim == .passconduit
            ? run.process.processIdentifier : try #require(run.child(victim.rawValue))
        Foundation.kill(pid, SIGKILL)
    }

    /// The size of the partial body.
    private func part(in library: String) throws -> Int {
        let folder = URL(fileURLWithPath: library).appendingPathComponent("downloads")
        let sizes = try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: [.fileSizeKey]
        ).compactMap { try $0.resourceValues(forKeys: [.fileSizeKey]).fileSize }
        return sizes.reduce(0, +)
    }

    /// Checks that the pass equals the one sent, byte for byte, and that no temporary file is left.
    private func check(_ library: String) throws {
        let listed = try home.program.run(["list", "--json", "--library", library])
        #expect(listed.records.count == 1)
        #expect(try part(in: library) == 0)
        let checked = try home.program.run(["library", "check", "--library", library])
        #expect(checked.status == 0, "\(checked.output) \(checked.errors)")
    }
}
