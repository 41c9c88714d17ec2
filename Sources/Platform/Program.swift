import CLinux
import Glibc

/// Another program, run without a shell.
package struct Program: Sendable {
    package let path: String
    /// Without the program's name; need not be valid text.
    package var arguments: [[UInt8]] = []
    /// The environment of the program; nil for that of this process.
    package var variables: [String: String]?

    /// A program that may not exist.
    package init(at path: String) {
        self.path = path
    }

    /// A program by its absolute path or its name in the folders of a PATH.
    package init?(_ name: String, inPath folders: String) {
        let isPath = name.hasPrefix("/")
        self.init(firstOf: isPath ? [name] : Program.paths(of: name, inPath: folders))
    }

    /// A program in the same folder as this one.
    package init?(besideThisOne name: String) {
        self.init(firstOf: Program.paths(of: name, fromHere: [""]))
    }

    /// A helper program in `libexec` (Filesystem Hierarchy Standard 3.0, 4.7), or in the build
    /// folder next to this program. Does not search PATH, which could lead to another program.
    package init?(ownedByThisOne name: String) {
        self.init(firstOf: Program.paths(of: name, fromHere: ["../libexec/passconduit/", ""]))
    }

    private init?(firstOf paths: [String]) {
        guard let path = paths.first(where: isProgram) else { return nil }
        self.init(at: path)
    }

    /// The paths that a name may stand for, beside this program and then in a PATH.
    package static func paths(of name: String, besideThisOneOrInPath folders: String) -> [String] {
        paths(of: name, fromHere: [""]) + paths(of: name, inPath: folders)
    }

    /// Relative folders are skipped, since they depend on the current folder.
    private static func paths(of name: String, inPath folders: String) -> [String] {
        guard !name.contains("/") else { return [] }
        return folders.split(separator: ":").filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }
    }

    private static func paths(of name: String, fromHere folders: [String]) -> [String] {
        guard let own = CommandLine.programPath, let slash = own.lastIndex(of: "/") else {
            return []
        }
        return folders.map { "\(own[..<slash])/\($0)\(name)" }
    }
}

extension Program {
    /// Replaces this process with the program; returns only on failure.
    package func replaceThisOne() -> FileError {
        var code: CInt = 0
        unsafe withCStrings { code = unsafe linux_execute(path, $0, $1) }
        _ = signal(SIGPIPE, SIG_IGN)
        return FileError(.start(path), code)
    }

    /// Starts the program in a new session, so that terminal signals such as Ctrl-C do not reach
    /// it. Without `input`, its standard input is empty.
    ///
    /// - Parameter endsWithThisOne: Whether the kernel kills the program when this process ends;
    ///   for single-threaded programs, since the end of the calling thread counts.
    package func start(
        input: FileDescriptor? = nil, output: FileDescriptor? = nil,
        errors: FileDescriptor? = nil, discardsErrors: Bool = false, endsWithThisOne: Bool = false
    ) throws(FileError) -> ChildProcess {
        let needsNone = input == nil || discardsErrors
        let none = needsNone ? try FileDescriptor.open("/dev/null", O_RDWR) : nil
        defer { none?.close() }
        let failure = try FileDescriptor.pipe()
        defer { failure.reading.close() }
        let streams = [input ?? none, output, discardsErrors ? none : errors]
            .map { $0?.number ?? -1 }
        var answer: pid_t = 0
        unsafe withCStrings { arguments, variables in
            answer = unsafe linux_start(
                path, arguments, variables, streams, failure.writing.number,
                endsWithThisOne ? 1 : 0)
        }
        failure.writing.close()
        guard answer > 0 else { throw FileError(.start(path), -answer) }
        let process = ChildProcess(answer)
        // Executing the program closes the pipe.
        var code: CInt = 0
        let got = unsafe withUnsafeMutableBytes(of: &code) { bytes in
            (try? unsafe failure.reading.read(into: bytes)) ?? 0
        }
        guard got == 0 else {
            process.wait()
            throw FileError(.start(path), code)
        }
        return process
    }

    /// Starts the program with pipes to its standard input and from its standard output.
    package func startWithPipes() throws(FileError) -> (
        process: ChildProcess, input: FileDescriptor, output: FileDescriptor
    ) {
        var unused: [FileDescriptor] = []
        defer { for file in unused { file.close() } }
        let input = try FileDescriptor.pipe()
        unused = [input.reading, input.writing]
        let output = try FileDescriptor.pipe()
        unused += [output.reading, output.writing]
        let process = try start(input: input.reading, output: output.writing)
        unused = [input.reading, output.writing]
        return (process, input.writing, output.reading)
    }

    /// Runs the program to its end; returns its output, up to a limit. The status is nil if it is
    /// unknown.
    package func output(
        limit: Int, discardsErrors: Bool = false
    ) throws(FileError) -> (bytes: [UInt8], status: ExitStatus?) {
        try written(limit: limit) { file throws(FileError) in
            try start(output: file, discardsErrors: discardsErrors)
        }
    }

    /// Runs the program to its end; returns what it wrote to its standard error, up to a limit. Its
    /// output is discarded.
    package func errors(limit: Int) throws(FileError) -> (bytes: [UInt8], status: ExitStatus?) {
        let none = try FileDescriptor.open("/dev/null", O_WRONLY)
        defer { none.close() }
        return try written(limit: limit) { file throws(FileError) in
            try start(output: none, errors: file)
        }
    }

    /// Waits for a process; returns what it wrote to a file, up to a limit.
    private func written(
        limit: Int, _ start: (FileDescriptor) throws(FileError) -> ChildProcess
    ) throws(FileError) -> (bytes: [UInt8], status: ExitStatus?) {
        let file = try FileDescriptor.temporary(inOneOf: ["/tmp", "/var/tmp", "/dev/shm"])
        defer { file.close() }
        let status = try start(file).wait()
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            (try? unsafe file.read(at: 0, into: buffer)) ?? 0
        }
        return (Array(bytes.prefix(count)), status)
    }

    /// Calls `body` with the arguments and the variables; null for those of this process.
    private func withCStrings(_ body: (CStrings, CStrings?) -> Void) {
        unsafe withArray(of: [Array(path.utf8)] + arguments) { arguments in
            guard let variables else { return unsafe body(arguments, nil) }
            unsafe withArray(of: variables.map { Array("\($0)=\($1)".utf8) }) {
                unsafe body(arguments, $0)
            }
        }
    }
}

/// A null-terminated array, as execve(2) takes it.
private typealias CStrings = UnsafePointer<UnsafeMutablePointer<CChar>?>

private func withArray(of strings: [[UInt8]], _ body: (CStrings) -> Void) {
    var copies = unsafe strings.map { string in
        unsafe strdup(string.map { CChar(bitPattern: $0) } + [0])
    }
    defer { while let copy = unsafe copies.popLast() { unsafe free(copy) } }
    unsafe copies.append(nil)
    unsafe body(copies)
}

/// Whether the path is an executable file.
private func isProgram(_ path: String) -> Bool {
    var status = stat()
    return unsafe access(path, X_OK) == 0 && stat(path, &status) == 0
        && status.st_mode & S_IFMT == S_IFREG
}
