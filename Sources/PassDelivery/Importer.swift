import Bytes
import Confinement
import Glibc
import Platform

/// Runs `passconduit import` for one message.
struct Importer {
    /// The maximum output that is kept, in bytes.
    private static let answerLength = 64 << 10

    /// Additional options.
    let options: [[UInt8]]

    /// The outcome of a run.
    enum Exit {
        case done
        /// Ended by a signal: a defect or possibly a lack of memory.
        case broken(signal: CInt)
        /// Killed at the deadline.
        case late
        /// It failed and reported the reason.
        case failed
        case notStarted(FileError)
    }

    /// Signals that indicate a defect. SIGABRT is not included: it usually means a lack of memory.
    private static let signalsOfDefects = [SIGILL, SIGTRAP, SIGSEGV, SIGFPE]

    /// Runs import with the message on standard input, and appends a line for each pass to
    /// `answers`.
    func run(
        _ message: FileDescriptor, until deadline: Deadline, answers: inout [String]
    ) -> Exit {
        do throws(FileError) {
            let answer = try FileDescriptor.pipe()
            defer { answer.reading.close() }
            let (child, failure) = try start(message, answer.writing)
            defer { failure.close() }
            var text: [UInt8] = []
            let end = child.wait(until: deadline, reading: answer.reading) {
                if text.count < Importer.answerLength { text += $0 }
            }
            answers = Importer.lines(of: text)
            guard case .ended(let status) = end else { return .late }
            if let error = Importer.error(from: failure) { return .notStarted(error) }
            return outcome(status)
        } catch {
            return .notStarted(error)
        }
    }

    /// Whether import succeeds on empty input.
    func isSound(until deadline: Deadline) -> Bool {
        guard let nothing = try? FileDescriptor.open("/dev/null", O_RDONLY) else { return false }
        defer { nothing.close() }
        var answers: [String] = []
        guard case .done = run(nothing, until: deadline, answers: &answers) else { return false }
        return true
    }

    /// The lines that are valid in a header field (RFC 5322, 2.1.1); other lines are dropped.
    private static func lines(of text: [UInt8]) -> [String] {
        let whole = text.prefix(upTo: (text.lastIndex(of: UInt8(ascii: "\n")) ?? 0))
        return whole.split(separator: UInt8(ascii: "\n"))
            .filter { line in line.count < 980 && line.allSatisfy { (0x20...0x7E).contains($0) } }
            .map { String(streamSafe: $0) }
    }

    /// Starts the process, and closes the write end of `answer`.
    ///
    /// - Returns: The process, and a pipe to which it writes the error if the program cannot be
    ///   started.
    private func start(
        _ message: FileDescriptor, _ answer: FileDescriptor
    ) throws(FileError) -> (ChildProcess, failure: FileDescriptor) {
        defer { answer.close() }
        let failure = try FileDescriptor.pipe()
        defer { failure.writing.close() }
        do throws(FileError) {
            let process = try forked { become(message, answer, failure.writing) }
            return (ChildProcess(process), failure.reading)
        } catch {
            failure.reading.close()
            throw error
        }
    }

    /// Executes the first `passconduit` found: beside this program, or in `$PATH`. Returns only on
    /// failure, after writing the error.
    private func become(
        _ message: FileDescriptor, _ answer: FileDescriptor, _ failure: FileDescriptor
    ) -> CInt {
        var code = ENOENT
        if dup2(message.number, STDIN_FILENO) < 0 || dup2(answer.number, STDOUT_FILENO) < 0 {
            code = errno
        } else {
            let words = ["passconduit", "import", "--tolerate-problems", "--brief"].map {
                Array($0.utf8)
            }
            let arguments = unsafe (words + options + [Array("-".utf8)]).map { unsafe cString($0) }
            for program in Importer.places {
                _ = unsafe execv(program, arguments + [nil])
                // Prefer the error of a file that exists over "not found".
                if code == ENOENT { code = errno }
            }
        }
        // Linux error codes fit in a byte.
        try? failure.writeAll([UInt8(truncatingIfNeeded: code)].span)
        return EXIT_FAILURE
    }

    /// Why the program could not be started; nil if it was.
    private static func error(from failure: FileDescriptor) -> FileError? {
        var code: UInt8 = 0
        let got = unsafe withUnsafeMutableBytes(of: &code) { byte in
            try? unsafe failure.read(into: byte)
        }
        guard got == 1 else { return nil }
        return FileError(.start("passconduit"), CInt(code))
    }

    /// The candidate paths of the program. Relative entries of `$PATH` are skipped, since the
    /// working directory depends on the mail system.
    private static var places: [String] {
        var folders: [Substring] = []
        if let own = CommandLine.programPath, let slash = own.lastIndex(of: "/") {
            folders.append(own[..<slash])
        }
        if let path = unsafe getenv("PATH") {
            folders += unsafe String(cString: path).split(separator: ":")
        }
        return folders.filter { $0.hasPrefix("/") }.map { "\($0)/passconduit" }
    }

    private func outcome(_ status: ExitStatus?) -> Exit {
        guard let status else { return .failed }
        if status.signal == 0 { return status.code == 0 ? .done : .failed }
        return Importer.signalsOfDefects.contains(status.signal)
            ? .broken(signal: status.signal) : .failed
    }
}

/// A C copy of the bytes.
private func cString(_ bytes: [UInt8]) -> UnsafeMutablePointer<CChar>? {
    unsafe strdup(bytes.map { CChar(bitPattern: $0) } + [0])
}
