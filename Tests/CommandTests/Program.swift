import Foundation

/// The built program, run as from a user's shell, in a home of its own. It never reads or writes
/// the home of the user who runs the tests.
struct Program {
    /// The result of a run.
    struct Result {
        let status: Int32
        let output: String
        let errors: String

        /// The lines of standard output, without an empty line at the end.
        var lines: [String] { output.split(separator: "\n").map(String.init) }

        /// The lines of standard output that are JSON objects.
        var records: [[String: Any]] {
            lines.compactMap {
                (try? JSONSerialization.jsonObject(with: Data($0.utf8))) as? [String: Any]
            }
        }
    }

    /// The build folder of the programs, which is also that of the tests.
    static var folder: URL {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent()
    }

    static let searchPath = "/usr/bin:/bin:/usr/local/bin"

    /// The root of the package.
    static var package: URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
    }

    let name: String
    let home: Home
    /// Environment variables in addition to those that every run has. These take precedence.
    var environment: [String: String] = [:]

    init(_ name: String = "passconduit", home: Home, environment: [String: String] = [:]) {
        self.name = name
        self.home = home
        self.environment = environment
    }

    var path: String {
        name.hasPrefix("/") ? name : Program.folder.appendingPathComponent(name).path
    }

    /// Runs the program and waits until it exits.
    func run(_ arguments: [String], input: Data = Data()) throws -> Result {
        try execute(path, arguments, input: input)
    }

    /// Runs a line of `sh`, in which `$PROGRAM` is the program, and waits until it exits.
    func shell(_ line: String, input: Data = Data()) throws -> Result {
        try execute("/bin/sh", ["-c", line], input: input)
    }

    /// Starts the program and returns at once; its output goes to these files.
    func start(
        _ arguments: [String], output: FileHandle = .nullDevice, errors: FileHandle = .nullDevice
    ) throws -> Process {
        let process = process(path, arguments)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        return process
    }

    /// Starts the program with pipes as its standard input and output.
    func start(_ arguments: [String], input: Pipe, output: Pipe) throws -> Process {
        let process = process(path, arguments)
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    private func process(_ executable: String, _ arguments: [String]) -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = arguments
        process.currentDirectoryURL = home.folder
        var variables = [
            "FONTCONFIG_FILE": Program.package.appendingPathComponent("Tests/fonts.conf").path,
            "HOME": home.folder.path,
            "LANG": "C.UTF-8",
            // Use Debian's own programs, since the shims of a version manager start too slowly.
            "PATH": Program.searchPath,
            "PROGRAM": path,
            "TZ": "UTC",
        ]
        variables.merge(environment) { $1 }
        process.environment = variables
        return process
    }

    /// Uses files instead of pipes, so that no reader and writer can block each other.
    func execute(_ executable: String, _ arguments: [String], input: Data) throws -> Result {
        let streams = try Home(named: "streams")
        defer { streams.remove() }
        let read = try streams.write(input, to: "input")
        let output = try streams.write(Data(), to: "output")
        let errors = try streams.write(Data(), to: "errors")

        let process = process(executable, arguments)
        process.standardInput = try FileHandle(forReadingFrom: read)
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        process.waitUntilExit()
        // Use the shell's exit code for a program ended by a signal.
        let signalled = process.terminationReason == .uncaughtSignal
        return Result(
            status: process.terminationStatus + (signalled ? 128 : 0),
            output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
            errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
    }
}

/// A private folder for one test, and the home of the programs that it runs.
struct Home {
    let folder: URL

    init(named name: String = "home") throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("passconduit-\(name)-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// The default location of the library.
    var library: URL { folder.appendingPathComponent(".local/share/passconduit") }

    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    @discardableResult
    func write(_ data: Data, to name: String) throws -> URL {
        let file = folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
        return file
    }

    func remove() {
        try? FileManager.default.removeItem(at: folder)
    }
}
