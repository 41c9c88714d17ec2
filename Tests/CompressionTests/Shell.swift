import Foundation
import Testing

/// The output of a line of `sh`, run in its own folder with the input as the file `in` and on
/// standard input.
func shell(_ line: String, _ input: [UInt8] = [], fails: Bool = false) throws -> [UInt8] {
    let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("passconduit-compression-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (read, written) = (folder.appending(path: "in"), folder.appending(path: "out"))
    try Data(input).write(to: read)
    try Data().write(to: written)

    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", line]
    process.currentDirectoryURL = folder
    process.environment = ["PATH": "/usr/bin:/bin"]
    process.standardInput = try FileHandle(forReadingFrom: read)
    process.standardOutput = try FileHandle(forWritingTo: written)
    process.standardError = fails ? FileHandle.nullDevice : FileHandle.standardError
    try process.run()
    process.waitUntilExit()
    try #require((process.terminationStatus == 0) != fails, "\(line)")
    return Array(try Data(contentsOf: written))
}
