import Foundation

/// A running Python script of this folder, which ends when its input does.
struct PythonProcess {
    let input: FileHandle
    let output: FileHandle

    init(_ script: String, _ arguments: String...) throws {
        let (input, output) = (Pipe(), Pipe())
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        // -B: write no bytecode beside the sources.
        process.arguments = ["-B", folder.appending(path: script).path] + arguments
        process.environment = programEnvironment
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        self.input = input.fileHandleForWriting
        self.output = output.fileHandleForReading
    }
}
