import Bytes
import Foundation
import Glibc
import PassFixtures
import PassModel
import PassService
import Testing

/// Expected: passconduit-events(7), which `streams.py` follows.
@Suite("A running service sends events of changes that another process published")
struct EventsTests {
    private let program: ServiceProgram
    private let template: String
    private static let pass = PassIdentity(
        passTypeIdentifier: PassMaker.type, serialNumber: "E4")

    init() throws {
        program = try ServiceProgram()
        template = try program.writeTemplate()
    }

    /// A store with a pass for which the devices of `streams.py` are registered.
    private func prepare(_ place: String, devices: Int) async throws {
        _ = try run(publication(place, gate: 6), input: [])
        let store =
            if place.hasPrefix("postgresql:") {
                try await ServiceStore(postgreSQL: place)
            } else {
                try await ServiceStore(at: URL(filePath: place))
            }
        for number in 1...devices {
            let digits = String(number, radix: 16)
            let device = String(repeating: "0", count: 32 - digits.count) + digits
            let registration = try await store.register(
                device, pushToken: nil, for: Self.pass)
            #expect(registration == .added)
        }
    }

    private func publication(_ place: String, gate: Int) throws -> [String] {
        let rows = try program.write(
            "serial,token,gate\nE4,vxwxd7J8AlNNFPS8,\(gate)\n", to: "rows-\(gate).csv")
        return [try serveProgram(), "publish", "--store", place, "--data", rows, template]
    }

    private func change(_ command: String, _ place: String, _ options: String...) throws -> [String]
    {
        [try serveProgram(), command, "--store", place, PassMaker.type, "E4"] + options
    }

    @Test("publish, update and void lead to an event within half a second")
    func latency() async throws {
        try await prepare(program.store, devices: 20)
        let service = try RunningService(program.store, metrics: true)
        try measure([service], program.store)
    }

    @Test(
        "two servers on one database have the same events",
        .enabled(if: PostgreSQLServer.missing == nil, "\(PostgreSQLServer.missing ?? "")"))
    func twoServers() async throws {
        let place = try PostgreSQLServer.shared.get().schema()
        try await prepare(place, devices: 20)
        try measure([RunningService(place), RunningService(place)], place)
    }

    private func measure(_ services: [RunningService], _ place: String) throws {
        let streams = try Streams(20, services)
        if let port = services[0].metricsPort {
            #expect(try metric("passconduit_event_streams", port) == 20)
        }
        var delays: [Double] = []
        for gate in 1...3 {
            for command in [
                try publication(place, gate: gate * 10),
                try change("update", place, "--set", "gate=\(gate)"),
                try change("void", place),
                try change("update", place, "--set", "voided=false"),
            ] {
                delays.append(try #require(try streams.run(command)["slowest"]))
            }
        }
        // Other tests may delay one of them.
        #expect(delays.sorted()[delays.count / 2] < 0.5, "\(delays)")
        for service in services { #expect(service.end() == 0) }
        #expect(try streams.end()["complete"] == 20)
    }

    private func metric(_ name: String, _ port: Int) throws -> Double? {
        let program = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "prometheus.py").path
        let output = try run(["python3", "-B", program, "\(port)"], input: [])
        let values = try JSONSerialization.jsonObject(with: Data(output)) as? [String: Double]
        return values?[name]
    }

    @Test("a thousand computers have the event of a pass at once", .tags(.repeats))
    func many() async throws {
        let count = rounds(1_000)
        try await prepare(program.store, devices: count)
        let service = try RunningService(program.store)
        let streams = try Streams(count, [service])
        var delays: [Double] = []
        for gate in 1...5 {
            let command = try change("update", program.store, "--set", "gate=\(gate)")
            delays.append(try #require(try streams.run(command)["slowest"]))
        }
        #expect(delays.sorted()[2] < 0.5, "\(delays)")
        #expect(service.end() == 0)
        #expect(try streams.end()["complete"] == Double(count))
    }

    @Test("the service ends at once despite open streams", arguments: [SIGTERM, SIGINT])
    func shutdown(signal: Int32) async throws {
        try await prepare(program.store, devices: 20)
        let service = try RunningService(program.store)
        let streams = try Streams(20, [service])
        let start = ContinuousClock.now
        #expect(service.end(signal) == 0)
        #expect(.now - start < .seconds(2))
        #expect(try streams.end()["complete"] == 20)
    }

    @Test(
        "streams stay open while the database is unavailable, at little cost",
        .enabled(if: PostgreSQLServer.missing == nil, "\(PostgreSQLServer.missing ?? "")"))
    func outage() async throws {
        let database = try PostgreSQLServer()
        let place = try database.schema()
        try await prepare(place, devices: 5)
        let service = try RunningService(place)
        let streams = try Streams(5, [service])
        _ = try streams.run(change("update", place, "--set", "gate=7"))
        try database.stop()
        #expect(try service.logs("failed"))
        let before = try service.processorTime
        try await Task.sleep(for: .seconds(2))
        #expect(try service.processorTime - before < 0.5)
        let status = try run(
            [
                "curl", "-s", "-o", "/dev/null", "-w", "%{http_code} %header{retry-after}",
                "http://127.0.0.1:\(service.port)/v1/devices/\(String(repeating: "0", count: 32))/events",
            ], input: [])
        #expect(String(streamSafe: status).hasPrefix("503 "))
        try database.start()
        let delays = try streams.run(change("update", place, "--set", "gate=8"))
        // The poller tries again after up to five seconds.
        #expect(try #require(delays["slowest"]) < 8)
        #expect(try service.log.split(separator: "\n").count { $0.contains("failed") } <= 3)
        #expect(service.end() == 0)
        #expect(try streams.end()["complete"] == 5)
    }
}

/// Open streams of devices: a `streams.py` process.
private final class Streams {
    private let process = Process()
    private let (input, output) = (Pipe(), Pipe())

    /// Returns when each stream has its first event.
    init(_ count: Int, _ services: [RunningService]) throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "streams.py").path
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments =
            ["-B", script, "\(count)", "1"] + services.map { "\($0.port)" }
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        #expect(try answer()["open"] == Double(count))
    }

    deinit {
        if process.isRunning { process.terminate() }
    }

    /// Runs a command, and returns the times until the streams had an event.
    func run(_ command: [String]) throws -> [String: Double] {
        let line = try JSONSerialization.data(withJSONObject: command)
        try input.fileHandleForWriting.write(contentsOf: line + Data("\n".utf8))
        return try answer()
    }

    /// Waits until the server has ended all streams.
    func end() throws -> [String: Double] {
        try input.fileHandleForWriting.close()
        defer { process.waitUntilExit() }
        return try answer()
    }

    private func answer() throws -> [String: Double] {
        var line = Data()
        while let byte = try output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty,
            byte[0] != UInt8(ascii: "\n")
        {
            line += byte
        }
        let values = try JSONSerialization.jsonObject(with: line) as? [String: Double]
        return try #require(values)
    }
}
