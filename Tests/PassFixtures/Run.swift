import Foundation

/// Use Debian's own programs, since the shims of a version manager start too slowly.
let programEnvironment = [
    "PATH": "/usr/bin:/bin:/usr/local/bin", "TZ": "UTC",
    "TMPDIR": FileManager.default.temporaryDirectory.path,
    // The folder through which Tests/run lets all processes of a run share certificates.
    "PASSCONDUIT_FIXTURES": ProcessInfo.processInfo.environment["PASSCONDUIT_FIXTURES"] ?? "",
]

package struct ProgramFailure: Error {
    package let arguments: [String]
    package let message: String
}

/// The standard output of a program.
package func run(_ arguments: [String], input: [UInt8]) throws -> [UInt8] {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = arguments
    process.environment = programEnvironment
    let folder = FileManager.default.temporaryDirectory
    let (inputFile, errorFile) = (
        folder.appending(path: UUID().uuidString), folder.appending(path: UUID().uuidString)
    )
    try Data(input).write(to: inputFile)
    try Data().write(to: errorFile)
    defer {
        try? FileManager.default.removeItem(at: inputFile)
        try? FileManager.default.removeItem(at: errorFile)
    }
    let output = Pipe()
    process.standardInput = try FileHandle(forReadingFrom: inputFile)
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: errorFile)
    try process.run()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
        let message = String(decoding: try Data(contentsOf: errorFile), as: UTF8.self)
        throw ProgramFailure(arguments: arguments, message: message)
    }
    return Array(bytes)
}
