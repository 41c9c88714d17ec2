import Foundation
import Glibc
import Loopback
import PassFixtures
import Testing

@Suite("Changes to the library before or during an update do no harm")
struct UpdateMeanwhileTests {
    private let holder: PassHolder

    init() throws {
        holder = try PassHolder("meanwhile")
    }

    @Test("a removed pass stays removed, even if its next version was already verified")
    func removed() async throws {
        try await LoopbackServer.run { server in
            try holder.add([PassHolder.recipe("1", from: server.url())])
            let newer = try holder.maker.make(
                PassHolder.recipe("1", from: server.url(), gate: "7", hours: 1))
            server.serve(
                type: PassMaker.type, serial: "1", .pass(newer).delayed(.seconds(3)))
            let output = try holder.home.write(Data(), to: "output")
            let process = try start(output)
            try await server.waits { $0.count == 1 }
            // Takes the lock like `remove`, which may delete the pass as soon as nothing is being
            // added.
            let lock = try LibraryLock(in: holder.home.library)
            try await waits("for the lock") { lock.isOpen(in: process.processIdentifier) }
            try holder.change(
                """
                PRAGMA foreign_keys = ON;
                DELETE FROM passes;
                DELETE FROM search;
                """)
            lock.release()
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
            let text = try String(contentsOf: output, encoding: .utf8)
            #expect(!text.contains("\"record\":\"update\""))
            #expect(try holder.program.run(["list", "--json"]).records.isEmpty)
            let files = FileManager.default.enumerator(
                atPath: holder.home.library.appendingPathComponent("passes").path)
            // The files of the version that was removed.
            let passes = (files?.compactMap { $0 as? String } ?? []).filter {
                $0.hasSuffix(".pkpass")
            }
            #expect(passes.count == 1)
        }
    }

    @Test("slow responses do not lock other processes out of the library")
    func drops() async throws {
        // Each response causes progress three times a second, so that together they never pause.
        try await LoopbackServer.run { slow in
            slow.serve(under: "/v1/passes/") { request in
                .generated(nil).paced(bytesPerSecond: 20_000)
                    .delayed(.milliseconds(75 * request.number))
            }
            let hosts = [slow.url(), slow.url(), slow.url(host: "localhost")]
            let drops = (hosts + hosts.suffix(1)).enumerated().map { number, base in
                PassHolder.recipe("slow-\(number)", from: base)
            }
            try await LoopbackServer.run { server in
                try holder.add(
                    drops + ["1", "2", "3"].map { PassHolder.recipe($0, from: server.url()) })
                server.serve(under: "/v1/passes/") { _ in .status(304) }
                let newer = try holder.maker.make(
                    PassHolder.recipe("3", from: server.url(), gate: "7", hours: 1))
                // Answer only after the other requests have begun.
                server.serve(
                    type: PassMaker.type, serial: "3", .pass(newer).delayed(.seconds(2)))
                let output = try holder.home.write(Data(), to: "output")
                let process = try start(output)
                defer {
                    kill(process.processIdentifier, SIGKILL)
                    process.waitUntilExit()
                }
                try await waits("for what came") {
                    let text = (try? String(contentsOf: output, encoding: .utf8)) ?? ""
                    return text.contains(#""serialNumber":"3""#)
                }
                #expect(try holder.gate("3") == "7")
                #expect(slow.requests.count { $0.end == nil } == 4)
            }
        }
    }

    @Test("an unreadable record of updates is repaired, and the pass is requested again")
    func unreadable() async throws {
        try await LoopbackServer.run { server in
            try holder.add(["1", "2"].map { PassHolder.recipe($0, from: server.url()) })
            server.serve(under: "/v1/passes/") { _ in .status(304) }
            #expect(try holder.update().status == 0)
            try holder.change("UPDATE updates SET failures = 'many', dueAt = 0 WHERE pass = 1")
            let failed = try holder.update()
            #expect(failed.status == 2)
            #expect(failed.errors.contains("passconduit library check --mend"))
            let check = try holder.program.run(["library", "check", "--mend", "--json"])
            #expect(check.status == 0)
            #expect(check.records.first?["code"] as? String == "wrong-updates")
            #expect(holder.outcomes(try holder.update(["--json"])).count == 2)
        }
    }

    @Test("after the index is lost, each pass is requested once and no version is stored twice")
    func lostIndex() async throws {
        let trusted = try holder.program.run(["trust", "add", holder.maker.authority])
        try #require(trusted.status == 0, "\(trusted.errors)")
        try await LoopbackServer.run { server in
            let serials = (0..<10).map { "\($0)" }
            let base = server.url()
            try holder.add(serials.map { PassHolder.recipe($0, from: base) })
            let folder = holder.home.folder.appendingPathComponent("newer")
            try holder.maker.make(
                serials.map { PassHolder.recipe($0, from: base, gate: "7", hours: 1) }, in: folder)
            for serial in serials {
                let file = folder.appendingPathComponent("\(serial).pkpass").path
                // Half of the servers send a modification time later than the signing time.
                let hours = serial < "5" ? 1.0 : 24
                server.serve(
                    type: PassMaker.type, serial: serial,
                    .passFile(file).modified(PassHolder.signed.addingTimeInterval(hours * 3600)))
            }
            let first = try holder.update(["--json"])
            #expect(
                first.records.last?["updated"] as? Int == 10, "\(first.output) \(first.errors)")
            for suffix in ["", "-wal", "-shm"] {
                let file = holder.home.library.appendingPathComponent("library.sqlite\(suffix)")
                try? FileManager.default.removeItem(at: file)
            }
            let check = try holder.program.run(["library", "check", "--mend"])
            #expect(check.status == 0, "\(check.output) \(check.errors)")

            let asked = server.requests.count
            let again = try holder.update(["--json"])
            #expect(again.status == 0)
            let expected = serials.map { ($0, $0 < "5" ? "unchanged 304" : "unchanged 200") }
            #expect(holder.outcomes(again) == Dictionary(uniqueKeysWithValues: expected))
            let requests = server.requests.dropFirst(asked)
            #expect(requests.count == 10)
            #expect(Set(requests.map(\.path)).count == 10)
            #expect(
                Set(requests.map { $0["If-Modified-Since"] }) == ["Tue, 14 Nov 2023 23:13:20 GMT"])
            #expect(try holder.update(["--json"]).records.last?["asked"] as? Int == 0)
            let found = try holder.program.run(["library", "check"]).output
            #expect(found.contains("10 passes, 20 versions, 0 problems"))
            let last = holder.outcomes(try holder.update(["--json", "--all"]))
            #expect(last.values.allSatisfy { $0 == "unchanged 304" })
        }
    }

    private func start(_ output: URL) throws -> Process {
        try holder.program.start(
            ["update", "--json", "--trust-root", holder.maker.authority] + PassHolder.onLoopback,
            output: try FileHandle(forWritingTo: output))
    }

    /// Waits for a condition, at most a minute.
    private func waits(_ what: String, until isSo: () -> Bool) async throws {
        let limit = ContinuousClock.now.advanced(by: .seconds(60))
        while !isSo() {
            try #require(ContinuousClock.now < limit, "waited \(what) in vain")
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}

/// An exclusive lock on the library.
private struct LibraryLock {
    private let path: String
    private let number: CInt

    struct Failed: Error { let code: CInt }

    init(in library: URL) throws {
        path = library.appendingPathComponent("lock").path
        number = unsafe open(path, O_RDWR | O_CLOEXEC)
        // Lock the whole file.
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        // F_OFD_SETLK of <fcntl.h>, which the Glibc module does not have.
        let setLockOfOpenFile: CInt = 37
        guard unsafe fcntl(number, setLockOfOpenFile, &lock) == 0 else { throw Failed(code: errno) }
    }

    func release() { close(number) }

    /// Whether a process has the lock file open, which means that it waits for the lock.
    func isOpen(in pid: Int32) -> Bool {
        let folder = "/proc/\(pid)/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.contains { name in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)"))
                == path
        }
    }
}
