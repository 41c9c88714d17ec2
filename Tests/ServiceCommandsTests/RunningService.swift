import Foundation
import Glibc
import PassFixtures
import Testing

/// A `passconduit-serve run` process, which ends with the test.
final class RunningService {
    let port: Int
    /// The port for metrics.
    let metricsPort: Int?
    private let process: Process
    private let errors: URL

    /// - Parameter metrics: Whether the service also serves metrics.
    init(_ store: String, metrics: Bool = false, _ arguments: String...) throws {
        process = Process()
        process.executableURL = URL(filePath: try serveProgram())
        process.arguments =
            ["run", "--store", store, "--port", "0", "--json"]
            + (metrics ? ["--metrics-port", "0"] : []) + arguments
        process.environment = ["HOME": store, "PATH": "/usr/bin:/bin"]
        let output = Pipe()
        process.standardOutput = output
        errors = try fixtureFolder().appending(path: "errors")
        try Data().write(to: errors)
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        var text = Data()
        while text.count(where: { $0 == 10 }) < (metrics ? 2 : 1) {
            let piece = output.fileHandleForReading.availableData
            if piece.isEmpty { break }
            text += piece
        }
        var ports: [String: Int] = [:]
        for line in text.split(separator: 10) {
            let record = try #require(
                try JSONSerialization.jsonObject(with: line) as? [String: Any])
            ports[try #require(record["record"] as? String)] = record["port"] as? Int
        }
        port = try #require(ports["listening"], "\(String(decoding: text, as: UTF8.self))")
        metricsPort = ports["listeningForMetrics"]
    }

    deinit {
        if process.isRunning { process.terminate() }
    }

    /// The log so far.
    var log: String {
        get throws { try String(contentsOf: errors, encoding: .utf8) }
    }

    func signal(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// Ends the service, and returns its exit status.
    func end(_ signal: Int32 = SIGTERM) -> Int32? {
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : nil
    }
}
