import Foundation

/// The system's Python, which runs the scripts stored beside these tests.
enum Python {
    private static let program = "/usr/bin/python3"

    static var isHere: Bool { FileManager.default.isExecutableFile(atPath: program) }

    /// Whether a module is installed.
    static func imports(_ module: String) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = ["-c", "import \(module)"]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    /// The output of a script stored beside these tests.
    static func run(_ script: String, _ arguments: [String]) throws -> [UInt8] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = [folder.appendingPathComponent(script).path] + arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = [UInt8](output.fileHandleForReading.readDataToEndOfFile())
        process.waitUntilExit()
        return bytes
    }
}
