import Foundation
import Loopback
import PassFixtures
import Testing

@Suite("The passes of many issuers are requested once each")
struct ManyIssuersTests {
    private static let issuers = isEndurance ? 100 : 10
    private static let passesOfEach = isEndurance ? 100 : 20
    private static let count = issuers * passesOfEach

    /// The additional memory that ten thousand passes may take compared with twenty, in KiB.
    private static let limits = ["passconduit": 24 << 10, "passconduit-fetch": 8 << 10]

    private func measured(
        _ holder: PassHolder, _ arguments: [String] = []
    ) throws -> (result: Program.Result, peaks: [String: Int]) {
        let run = try Started(
            holder.program,
            ["update", "--json", "--trust-root", holder.maker.authority] + PassHolder.onLoopback
                + arguments)
        return (try run.finish(), run.peaks)
    }

    @Test(
        "at most two at a time per host, in bounded memory", .tags(.repeats),
        .timeLimit(.minutes(20)))
    func many() async throws {
        let holder = try PassHolder("issuers")
        // All addresses of 127.0.0.0/8 are this computer, and each is a host.
        try await LoopbackServer.run(on: "0.0.0.0") { server in
            let services = (1...Self.issuers).map { number in
                IssuingService(on: server, at: "/\(number)", host: "127.0.0.\(number)")
            }
            var held: [String: IssuingService] = [:]
            for (number, service) in services.enumerated() {
                for pass in 0..<Self.passesOfEach { held["\(number)-\(pass)"] = service }
            }
            try holder.hold(held)
            let first = try measured(holder)
            #expect(first.result.status == 0)
            #expect(services.reduce(0) { $0 + $1.count(.pass) } == Self.count)
            let few = try measured(holder, (0..<20).map { "\(PassMaker.type)/0-\($0)" })
            #expect(few.result.status == 0)

            try holder.pass(hours: 1)
            let steady = try measured(holder)
            #expect(steady.result.status == 0)
            let summary = try #require(steady.result.records.last)
            #expect(summary["asked"] as? Int == Self.count)
            #expect(summary["unchanged"] as? Int == Self.count)
            for (name, limit) in Self.limits {
                for run in [first, steady] {
                    let peaks = try [few, run].map { try #require($0.peaks[name]) }
                    #expect(peaks[1] - peaks[0] < limit, "\(name): \(peaks) KiB")
                }
            }

            // Three passes of two issuers have changed.
            try holder.publish(["3-1", "3-2"], at: services[3], version: 1)
            try holder.publish(["7-0"], at: services[7], version: 1)
            try holder.pass(hours: 1)
            let before = server.requests.count
            let last = try measured(holder).result
            #expect(last.records.last?["updated"] as? Int == 3)
            #expect(server.requests.count == before + Self.count)
            expectFewAtOnce(server.requests)
        }
    }

    /// Expects at most two requests to a host at a time.
    private func expectFewAtOnce(_ requests: [RecordedRequest]) {
        for (host, requests) in Dictionary(grouping: requests, by: { $0["Host"] ?? "" }) {
            let changes = requests.flatMap { request in
                [(request.arrival, 1), (request.end ?? request.arrival, -1)]
            }
            // At the same time, ends come first.
            let ordered = changes.sorted { $0 < $1 }
            var (count, most) = (0, 0)
            for (_, change) in ordered {
                count += change
                most = max(most, count)
            }
            #expect(most <= 2, "\(host)")
        }
    }
}
