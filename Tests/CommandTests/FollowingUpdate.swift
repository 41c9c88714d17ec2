import Foundation
import Glibc
import PassFixtures
import Testing

/// A running `passconduit update --follow --json`.
final class FollowingUpdate {
    let process: Process
    private let output: URL
    private let errorOutput: URL

    init(_ holder: PassHolder) throws {
        let name = "follow-\(UUID().uuidString)"
        output = try holder.home.write(Data(), to: "\(name).output")
        errorOutput = try holder.home.write(Data(), to: "\(name).errors")
        process = try holder.program.start(
            ["update", "--follow", "--json", "--trust-root", holder.maker.authority]
                + PassHolder.onLoopback,
            output: try FileHandle(forWritingTo: output),
            errors: try FileHandle(forWritingTo: errorOutput))
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }

    var errors: String { (try? String(contentsOf: errorOutput, encoding: .utf8)) ?? "" }

    /// The serial numbers of the passes reported as updated, in order, from complete lines.
    var updated: [String] {
        let text = (try? String(contentsOf: output, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { line in
            let record = try? JSONSerialization.jsonObject(with: Data(line.utf8))
            guard let record = record as? [String: Any],
                record["record"] as? String == "update",
                record["outcome"] as? String == "updated"
            else { return nil }
            return (record["pass"] as? [String: Any])?["serialNumber"] as? String
        }
    }

    /// Waits for a condition, at most a minute; returns the time.
    @discardableResult
    func waits(
        for what: String, _ location: SourceLocation = #_sourceLocation,
        until isSo: () throws -> Bool
    ) async throws -> Duration {
        let start = ContinuousClock.now
        while try !isSo() {
            try #require(
                process.isRunning && ContinuousClock.now < start + .seconds(60),
                "no \(what): \(updated) \(errors)", sourceLocation: location)
            try await Task.sleep(for: .milliseconds(5))
        }
        return ContinuousClock.now - start
    }

    /// Waits for this number of updates in all; returns the time.
    @discardableResult
    func waits(
        forUpdates count: Int, _ location: SourceLocation = #_sourceLocation
    ) async throws -> Duration {
        try await waits(for: "update \(count)", location) { updated.count >= count }
    }

    /// Sends a signal; returns the exit code, or the signal that ended the process, and the time.
    func end(by signal: Int32 = SIGTERM) -> (status: Int32, time: Duration) {
        let start = ContinuousClock.now
        kill(process.processIdentifier, signal)
        // Process.waitUntilExit returns late.
        while process.isRunning, ContinuousClock.now < start + .seconds(30) { usleep(1000) }
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
        return (process.terminationStatus, ContinuousClock.now - start)
    }

    /// The process and its child processes, with their names.
    var processes: [(pid: Int32, name: String)] {
        let own = process.processIdentifier
        let tasks =
            (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(own)/task")) ?? []
        let children = tasks.flatMap { task in
            contents("/proc/\(own)/task/\(task)/children").split(separator: " ")
                .compactMap { Int32($0) }
        }
        return ([own] + children).map { pid in
            (pid, contents("/proc/\(pid)/comm").trimmingCharacters(in: .newlines))
        }
    }

    /// The peak memory of all these processes, in KiB.
    var peak: Int { sum("VmHWM:") }

    /// How often the threads of these processes have waited for something.
    var wakeups: Int {
        processes.flatMap { process in
            let folder = "/proc/\(process.pid)/task"
            let tasks = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return tasks.map { number("voluntary_ctxt_switches:", in: "\(folder)/\($0)/status") }
        }.reduce(0, +)
    }

    private func sum(_ key: String) -> Int {
        processes.map { number(key, in: "/proc/\($0.pid)/status") }.reduce(0, +)
    }

    private func number(_ key: String, in path: String) -> Int {
        let words = contents(path).split(whereSeparator: \.isWhitespace)
        guard let place = words.firstIndex(where: { $0 == key }) else { return 0 }
        return words.dropFirst(place + 1).first.flatMap { Int($0) } ?? 0
    }

    private func contents(_ path: String) -> String {
        String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    }
}
