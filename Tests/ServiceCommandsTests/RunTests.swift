import Bytes
import Foundation
import Glibc
import PassFixtures
import Testing

@Suite("passconduit-serve run serves until a signal, and keeps what it answered")
struct RunTests {
    @Test("it ends with 0, and starts again with the same store", arguments: [SIGTERM, SIGINT])
    func signals(signal: Int32) throws {
        let store = try fixtureFolder().appending(path: "store").path
        for round in 1...2 {
            let process = Process()
            process.executableURL = URL(filePath: try serveProgram())
            process.arguments = [
                "run", "--store", store, "--port", "0", "--prefix", "/wallet", "--json",
            ]
            process.environment = ["HOME": store, "PATH": "/usr/bin:/bin"]
            let output = Pipe()
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            try process.run()
            defer { if process.isRunning { process.terminate() } }
            let line = output.fileHandleForReading.availableData
            let record = try #require(
                try JSONSerialization.jsonObject(with: line) as? [String: Any])
            #expect(record["address"] as? String == "127.0.0.1")
            #expect(record["prefix"] as? String == "/wallet")
            let port = try #require(record["port"] as? Int)
            let body = #"{"logs": ["round \#(round)"]}"#
            let status = try run(
                [
                    "curl", "-s", "-w", "%{http_code}", "-d", body,
                    "http://127.0.0.1:\(port)/wallet/v1/log",
                ], input: [])
            #expect(String(streamSafe: status) == "200")
            kill(process.processIdentifier, signal)
            process.waitUntilExit()
            #expect(process.terminationReason == .exit)
            #expect(process.terminationStatus == 0)
        }
        let log = try run([serveProgram(), "log", "--store", store], input: [])
        let lines = String(streamSafe: log).split(separator: "\n")
        #expect(lines.map { $0.suffix(7) } == ["round 2", "round 1"])
    }
}
