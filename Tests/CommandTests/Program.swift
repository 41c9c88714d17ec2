import Foundation

/// The built program, run as a person's shell would run it: in a home of its own, so that nothing of
/// the person who runs the tests is read or written.
struct Program {
    /// What a run gave back.
    struct Result {
        let status: Int32
        let output: String
        let errors: String

        /// The lines of the standard output, without an empty last one.
        var lines: [String] { output.split(separator: "\n").map(String.init) }

        /// The lines of the standard output as JSON objects; a line that is none is left out.
        var records: [[String: Any]] {
            lines.compactMap {
                (try? JSONSerialization.jsonObject(with: Data($0.utf8))) as? [String: Any]
            }
        }
    }

    /// The folder that a program is built in, where the tests are built as well.
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
    /// Beside the variables that every run has; they win over those.
    var environment: [String: String] = [:]

    init(_ name: String = "passconduit", home: Home, environment: [String: String] = [:]) {
        self.name = name
        self.home = home
        self.environment = environment
    }

    var path: String {
        name.hasPrefix("/") ? name : Program.folder.appendingPathComponent(name).path
    }

    /// Runs the program to its end.
    func run(_ arguments: [String], input: Data = Data()) throws -> Result {
        try execute(path, arguments, input: input)
    }

    /// Runs a line of `sh` to its end; the program is `$PROGRAM` in it.
    func shell(_ line: String, input: Data = Data()) throws -> Result {
        try execute("/bin/sh", ["-c", line], input: input)
    }

    /// Starts the program and comes back at once; what it prints goes to these files.
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

    /// Starts the program with pipes to both ends of it.
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
            // Debian's own programs: a version manager's stand-ins take longer to start than to run.
            "PATH": Program.searchPath,
            "PROGRAM": path,
            "TZ": "UTC",
        ]
        variables.merge(environment) { $1 }
        process.environment = variables
        return process
    }

    /// Files stand in for pipes, so that no reader can wait for a writer that waits for it.
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
        // The shell's way to say that a signal ended a program.
        let signalled = process.terminationReason == .uncaughtSignal
        return Result(
            status: process.terminationStatus + (signalled ? 128 : 0),
            output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
            errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
    }
}

/// A folder that a test has to itself, and the home of the programs that it runs.
struct Home {
    let folder: URL

    init(named name: String = "home") throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("passconduit-\(name)-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// Where the library lies when nobody says otherwise.
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
