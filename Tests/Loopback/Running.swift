import Foundation

struct ProgramFailed: Error {
    let arguments: [String]
    let errors: String
}

func run(_ arguments: String...) throws {
    try run(arguments)
}

/// Runs one of Debian's own programs to its end; a version manager's stand-ins take longer to start.
func run(_ arguments: [String], input: Data = Data()) throws {
    let name = FileManager.default.temporaryDirectory
        .appendingPathComponent("passconduit-run-\(UUID().uuidString)")
    let (read, errors) = (name.appendingPathExtension("in"), name.appendingPathExtension("err"))
    try input.write(to: read)
    try Data().write(to: errors)
    defer {
        try? FileManager.default.removeItem(at: read)
        try? FileManager.default.removeItem(at: errors)
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.environment = ["PATH": "/usr/bin:/bin:/usr/local/bin"]
    process.standardInput = try FileHandle(forReadingFrom: read)
    process.standardOutput = FileHandle.nullDevice
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
        throw ProgramFailed(
            arguments: arguments,
            errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
    }
}
