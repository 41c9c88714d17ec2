import Foundation

/// A script of Python beside these tests.
struct PythonScript {
    /// The path from the folder of these tests.
    let path: String

    static var isHere: Bool { FileManager.default.isExecutableFile(atPath: program) }

    private static let program = "/usr/bin/python3"

    /// What it prints.
    func run(_ arguments: String...) throws -> Data {
        let folder = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.program)
        process.arguments = [folder.appendingPathComponent(path).path] + arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return bytes
    }
}
