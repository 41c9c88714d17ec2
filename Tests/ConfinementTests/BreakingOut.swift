import Foundation
import Testing

@testable import Confinement

/// The system's answers to a program that tries to escape its confinement.
struct BreakingOut {
    /// `done` or the name of an error, by attempt.
    let free: [String: String]
    let confined: [String: String]

    /// Makes every attempt, unconfined and confined.
    init(newestLandlock version: Int, _ more: [String] = []) throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("passconduit-confined-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let options = [
            ["--system"], ["--read", BreakingOut.script], ["--read", "readable"],
            ["--write", "inside"], ["--spool", "spool"], ["--execute", "/usr"],
            ["--landlock", String(version)],
        ]
        let answer = try BreakingOut.output(
            of: BreakingOut.python,
            [BreakingOut.script, BreakingOut.probe] + options.flatMap(\.self) + more, in: folder)
        let answers = try JSONDecoder().decode(
            [String: [String: String]].self, from: Data(answer.utf8))
        free = try #require(answers["free"])
        confined = try #require(answers["confined"])
    }

    static let python = "/usr/bin/python3"

    static let isPythonHere = FileManager.default.isExecutableFile(atPath: python)

    static let offered = (try? Protections.offered()) ?? Protections()

    /// In the build folder of the tests.
    static let probe = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("confinement-probe").path

    private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("break_out.py").path

    static func output(
        of program: String, _ arguments: [String], input: String? = nil, in folder: URL
    ) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.currentDirectoryURL = folder
        let output = Pipe()
        process.standardOutput = output
        process.standardInput =
            try input.map { text in
                let file = folder.appendingPathComponent("input")
                try Data(text.utf8).write(to: file)
                return try FileHandle(forReadingFrom: file)
            } ?? FileHandle.nullDevice
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: bytes, as: UTF8.self)
    }
}
