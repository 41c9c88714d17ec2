import Foundation
import Testing

/// A running program and its child processes.
final class Started {
    let process: Process
    private let output: URL
    private let errors: URL
    /// The peak memory of each program, in KiB, by name.
    private(set) var peaks: [String: Int] = [:]

    init(_ program: Program, _ arguments: [String]) throws {
        let streams = program.home.folder.appendingPathComponent("streams-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: streams, withIntermediateDirectories: true)
        output = streams.appendingPathComponent("output")
        errors = streams.appendingPathComponent("errors")
        try Data().write(to: output)
        try Data().write(to: errors)
        process = try program.start(
            arguments, output: try FileHandle(forWritingTo: output),
            errors: try FileHandle(forWritingTo: errors))
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }

    /// The child process with this name, if it is running.
    func child(_ name: String) -> Int32? {
        children.first { self.name(of: $0) == name }
    }

    private var children: [Int32] {
        let tasks = "/proc/\(process.processIdentifier)/task"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
        return names.flatMap { name in
            contents("\(tasks)/\(name)/children").split(separator: " ").compactMap { Int32($0) }
        }
    }

    private func name(of pid: Int32) -> String {
        let words = contents("/proc/\(pid)/cmdline").split(separator: "\0")
        return words.first.map { String($0.split(separator: "/").last ?? "") } ?? ""
    }

    /// Samples the memory until the program ends, and returns its result.
    func finish() throws -> Program.Result {
        while process.isRunning {
            for pid in [process.processIdentifier] + children {
                let words = contents("/proc/\(pid)/status").split(whereSeparator: \.isWhitespace)
                guard let place = words.firstIndex(of: "VmHWM:"),
                    let peak = words.dropFirst(place + 1).first.flatMap({ Int($0) })
                else { continue }
                peaks[name(of: pid), default: 0] = max(peaks[name(of: pid)] ?? 0, peak)
            }
            Thread.sleep(forTimeInterval: 0.01)
        }
        process.waitUntilExit()
        let signalled = process.terminationReason == .uncaughtSignal
        return Program.Result(
            status: process.terminationStatus + (signalled ? 128 : 0),
            output: contents(output.path), errors: contents(errors.path))
    }

    private func contents(_ path: String) -> String {
        String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    }
}
