import Bytes
import Confinement
import Glibc

/// `passconduit import`, run for one message.
struct Importer {
    /// How much of what it says of the passes is kept, in bytes.
    private static let answerLength = 64 << 10

    /// Its options, beside those that every message needs.
    let options: [[UInt8]]

    /// What became of a run.
    enum Exit {
        case done
        /// It was ended by a signal, as programs are that have a defect. Those that get no memory may be
        /// ended so, too.
        case broken(signal: CInt)
        /// It did not end in time, and was killed.
        case late
        /// It could not do its work, and said why.
        case failed
        case notStarted(FileError)
    }

    /// How a program is ended that has a defect. Not SIGABRT, which is nearly always the end of one that
    /// gets no memory.
    private static let signalsOfDefects = [SIGILL, SIGTRAP, SIGSEGV, SIGFPE]

    /// Runs it to its end, with the message on its standard input. What it says of each pass goes to
    /// `answers`, a line for each.
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

    /// Whether it comes to an end where there is no message.
    func isSound(until deadline: Deadline) -> Bool {
        guard let nothing = try? FileDescriptor.open("/dev/null", O_RDONLY) else { return false }
        defer { nothing.close() }
        var answers: [String] = []
        guard case .done = run(nothing, until: deadline, answers: &answers) else { return false }
        return true
    }

    /// The lines that can stand in a header (RFC 5322, 2.1.1); the others are no answers.
    private static func lines(of text: [UInt8]) -> [String] {
        let whole = text.prefix(upTo: (text.lastIndex(of: UInt8(ascii: "\n")) ?? 0))
        return whole.split(separator: UInt8(ascii: "\n"))
            .filter { line in line.count < 980 && line.allSatisfy { (0x20...0x7E).contains($0) } }
            .map { String(streamSafe: $0) }
    }

    /// Starts it, and closes the answer on this side.
    ///
    /// - Returns: Beside the process, where it writes why the program cannot be started.
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

    /// Becomes the first of it that there is: beside this program, or in the folders of `$PATH`. Returns
    /// only where that is not possible, once it has written why.
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
                // One that is there and cannot be started says more than those that are not there.
                if code == ENOENT { code = errno }
            }
        }
        // No code of Linux needs more than a byte.
        try? failure.writeAll([UInt8(truncatingIfNeeded: code)].span)
        return EXIT_FAILURE
    }

    /// Why the program was not started; nil if it was.
    private static func error(from failure: FileDescriptor) -> FileError? {
        var code: UInt8 = 0
        let got = unsafe withUnsafeMutableBytes(of: &code) { byte in
            try? unsafe failure.read(into: byte)
        }
        guard got == 1 else { return nil }
        return FileError(.start("passconduit"), CInt(code))
    }

    /// Where the program may be. Folders of `$PATH` that are not absolute depend on where the mail system
    /// happens to be, and are left out.
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

/// A copy as C takes it.
private func cString(_ bytes: [UInt8]) -> UnsafeMutablePointer<CChar>? {
    unsafe strdup(bytes.map { CChar(bitPattern: $0) } + [0])
}
