import Foundation
import Loopback
import PassFixtures
import Testing

@Suite("Updating many passes takes bounded memory, and a killed run loses nothing")
struct ManyUpdatesTests {
    private static let count = rounds(10_000)

    /// The additional memory that ten thousand passes may take compared with twenty, in KiB.
    /// `make endurance` would detect a leak of 1 KiB per request, `make test` one of 8 KiB.
    private static let limits = ["passconduit": 24 << 10, "passconduit-fetch": 8 << 10]

    /// Peak memory in KiB, of the update program and of the fetch program.
    private func measured(
        _ holder: PassHolder, _ arguments: [String]
    ) throws -> (result: Program.Result, peaks: [String: Int]) {
        let run = try Started(
            holder.program,
            ["update", "--json", "--trust-root", holder.maker.authority] + PassHolder.onLoopback
                + arguments)
        let result = try run.finish()
        return (result, run.peaks)
    }

    @Test(
        "each pass is requested once, and at most two at a time", .tags(.repeats),
        .timeLimit(.minutes(10)))
    func many() async throws {
        let holder = try PassHolder("many")
        try await LoopbackServer.run { server in
            let base = server.url()
            try holder.add((0..<Self.count).map { PassHolder.recipe("\($0)", from: base) })
            // Every hundredth pass has changed.
            let serials = (0..<Self.count).filter { $0.isMultiple(of: 100) }
            let folder = holder.home.folder.appendingPathComponent("newer")
            try holder.maker.make(
                serials.map { PassHolder.recipe("\($0)", from: base, gate: "7", hours: 1) },
                in: folder)
            let day = Date(timeIntervalSince1970: 1_710_000_000)
            server.serve(under: "/v1/passes/\(PassMaker.type)/") { _ in .status(304) }
            for serial in serials {
                let file = folder.appendingPathComponent("\(serial).pkpass").path
                server.serve(
                    type: PassMaker.type, serial: "\(serial)", .passFile(file).modified(day))
            }

            let few = try measured(holder, (1...20).map { "\(PassMaker.type)/\($0)" })
            #expect(few.result.records.last?["asked"] as? Int == 20)
            let before = server.requests.count
            let first = try measured(holder, ["--all"])
            #expect(first.result.status == 0)
            let summary = try #require(first.result.records.last)
            #expect(summary["asked"] as? Int == Self.count)
            #expect(summary["failed"] as? Int == 0)
            #expect(server.requests.count == before + Self.count)
            #expect(Set(server.requests.dropFirst(before).map(\.path)).count == Self.count)
            #expect(server.mostAtOnce <= 2)
            #expect(server.requests.allSatisfy { $0["If-Modified-Since"] != nil })
            // Many more passes take hardly more memory.
            for (name, limit) in Self.limits {
                let peaks = try [few, first].map { try #require($0.peaks[name]) }
                #expect(peaks[1] - peaks[0] < limit, "\(name): \(peaks) KiB")
            }

            let second = try measured(holder, ["--all"])
            #expect(second.result.records.last?["unchanged"] as? Int == Self.count)
            #expect(
                server.requests.dropFirst(before + Self.count).allSatisfy { $0.status == 304 })
            #expect(server.requests.count == before + 2 * Self.count)
        }
    }

    @Test("after a kill halfway, the next run does the rest", .timeLimit(.minutes(10)))
    func killed() async throws {
        let holder = try PassHolder("killed-updates")
        try await LoopbackServer.run { server in
            let base = server.url()
            let serials = (0..<300).map { "\($0)" }
            try holder.add(serials.map { PassHolder.recipe($0, from: base) })
            let folder = holder.home.folder.appendingPathComponent("newer")
            try holder.maker.make(
                serials.map { PassHolder.recipe($0, from: base, gate: "7", hours: 1) }, in: folder)
            let day = Date(timeIntervalSince1970: 1_710_000_000)
            for serial in serials {
                let file = folder.appendingPathComponent("\(serial).pkpass").path
                server.serve(
                    type: PassMaker.type, serial: serial, .passFile(file).modified(day))
            }
            var told: Set<String> = []
            for round in 1...4 {
                let output = try holder.home.write(Data(), to: "output-\(round)")
                let process = try holder.program.start(
                    ["update", "--json", "--all", "--trust-root", holder.maker.authority]
                        + PassHolder.onLoopback,
                    output: try FileHandle(forWritingTo: output))
                let asked = server.requests.count
                try await server.waits { $0.count >= asked + 40 * round }
                kill(process.processIdentifier, SIGKILL)
                process.waitUntilExit()
                #expect(process.terminationReason == .uncaughtSignal)
                told.formUnion(updated(try String(contentsOf: output, encoding: .utf8)))
                // Everything reported is in the library, and the library passes its check.
                #expect(told.isSubset(of: try gates(holder)))
                let check = try holder.program.run(["library", "check", "--mend", "--json"])
                let findings = check.records.compactMap { $0["code"] as? String }
                #expect(Set(findings).isSubset(of: ["leftover-file", "orphan-file"]))
            }
            let last = try holder.update(["--json", "--all"])
            #expect(last.status == 0)
            told.formUnion(updated(last.output))
            #expect(try gates(holder) == Set(serials))
            let files = try FileManager.default.contentsOfDirectory(
                atPath: holder.home.library.appendingPathComponent("updates").path)
            #expect(files == [])
            let rest = holder.outcomes(try holder.update(["--json", "--all"]))
            #expect(rest.values.allSatisfy { $0 == "unchanged 304" })
        }
    }

    /// The serial numbers of the passes reported as updated, from complete lines only.
    private func updated(_ output: String) -> Set<String> {
        Set(
            output.split(separator: "\n").compactMap { line -> String? in
                let record = try? JSONSerialization.jsonObject(with: Data(line.utf8))
                guard let record = record as? [String: Any],
                    record["outcome"] as? String == "updated"
                else { return nil }
                return (record["pass"] as? [String: Any])?["serialNumber"] as? String
            })
    }

    /// The serial numbers of the passes whose current version was signed later.
    private func gates(_ holder: PassHolder) throws -> Set<String> {
        let later = "2023-11-14T23:13:20Z"
        return Set(
            try holder.program.run(["list", "--json"]).records
                .filter { $0["signedAt"] as? String == later }
                .compactMap { ($0["pass"] as? [String: Any])?["serialNumber"] as? String })
    }
}
