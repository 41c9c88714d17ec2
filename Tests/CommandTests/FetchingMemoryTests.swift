import Foundation
import Loopback
import Testing

@Suite("Downloads of any size go to disk, not into memory")
struct FetchingMemoryTests {
    /// Limits in KiB. Test builds of these programs consist largely of code.
    private static let limits = ["passconduit": 64 << 10, "passconduit-fetch": 40 << 10]

    @Test("Two gigabytes take as much memory as a thirtieth of that", .timeLimit(.minutes(10)))
    func huge() async throws {
        let home = try FetchingHome()
        defer { home.remove() }
        try await LoopbackServer.run { server in
            server.serve("/small", .generated(64 << 20))
            server.serve("/huge", .generated(2 << 30))
            var peaks: [[String: Int]] = []
            for path in ["/small", "/huge"] {
                let words = ["scan", "--json", "--max-size", "4096", server.url(path)]
                let run = try Started(home.program, words + (try FetchingHome.options))
                let result = try run.finish()
                #expect(result.status == 2, "\(result.output) \(result.errors)")
                #expect(server.requests(for: path).count == 1)
                peaks.append(run.peaks)
            }
            #expect(server.requests.last?.sent == 2 << 30)
            // Threads that share the work differently take some MiB more or less.
            let additional = (2 << 30 - 64 << 20) >> 10
            for (name, limit) in Self.limits {
                let (small, huge) = (peaks[0][name] ?? 0, peaks[1][name] ?? .max)
                #expect(huge < limit, "\(name)")
                #expect(huge - small < additional / 100, "\(name)")
            }
        }
    }
}
