import Bytes
import Glibc

/// `passconduit import`, run for one message.
struct Importer {
    /// How much of what it says of the passes is kept, in bytes.
    private static let answerLength = 64 << 10

    /// Its options, beside those that every message needs.
    let options: [[UInt8]]

    /// What became of a run.
    enum Outcome {
        case done
        /// The message, or something in it, broke the program, and would break it again.
        case broken(signal: CInt)
        /// It could not do its work, and said why.
        case failed
        case notStarted(FileError)
    }

    /// How a program is ended that has a defect. Not SIGABRT, which is also the end of one that gets no
    /// memory.
    private static let signalsOfDefects = [SIGILL, SIGTRAP, SIGSEGV, SIGFPE]

    /// Runs it to its end, with the message on its standard input. What it says of each pass goes to
    /// `answers`, a line for each.
    func run(_ message: FileDescriptor, answers: inout [String]) -> Outcome {
        do throws(FileError) {
            let (reading, writing) = try FileDescriptor.pipe()
            defer { reading.close() }
            let process: pid_t
            do throws(FileError) {
                process = try start(message, answer: writing)
                writing.close()
            } catch {
                writing.close()
                throw error
            }
            answers = Importer.lines(from: reading)
            return outcome(of: process)
        } catch {
            return .notStarted(error)
        }
    }

    /// Whether it comes to an end where there is no message.
    func isSound() throws(FileError) -> Bool {
        let nothing = try FileDescriptor.open("/dev/null", O_RDONLY)
        defer { nothing.close() }
        var answers: [String] = []
        guard case .done = run(nothing, answers: &answers) else { return false }
        return true
    }

    /// The lines that can stand in a header (RFC 5322, 2.1.1); the others are no answers.
    private static func lines(from pipe: FileDescriptor) -> [String] {
        var text: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while true {
            var got = 0
            unsafe piece.withUnsafeMutableBytes { buffer in
                got = (try? unsafe pipe.read(into: buffer)) ?? 0
            }
            guard got > 0 else { break }
            // Read to its end, so that who writes it comes to an end.
            if text.count < answerLength { text += piece[..<got] }
        }
        let whole = text.prefix(upTo: (text.lastIndex(of: UInt8(ascii: "\n")) ?? 0))
        return whole.split(separator: UInt8(ascii: "\n"))
            .filter { line in line.count < 980 && line.allSatisfy { (0x20...0x7E).contains($0) } }
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// Starts the first of it that there is: beside this program, or in the folders of `$PATH`.
    private func start(
        _ message: FileDescriptor, answer: FileDescriptor
    ) throws(FileError) -> pid_t {
        var process: pid_t = 0
        var code = ENOENT
        for program in Importer.places {
            let answer = start(program, message, answer, &process)
            if answer == 0 { return process }
            // One that is there and cannot be started says more than those that are not there.
            if code == ENOENT { code = answer }
        }
        throw FileError(operation: "start passconduit", code: code)
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

    /// Starts the program at a path; returns what the system answers, 0 if it runs.
    private func start(
        _ program: String, _ message: FileDescriptor, _ answer: FileDescriptor,
        _ process: inout pid_t
    ) -> CInt {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, message.number, STDIN_FILENO)
        unsafe posix_spawn_file_actions_adddup2(&actions, answer.number, STDOUT_FILENO)
        let words = ["passconduit", "import", "--tolerate-problems", "--brief"].map {
            Array($0.utf8)
        }
        var arguments = unsafe (words + options + [Array("-".utf8)]).map { unsafe cString($0) }
        defer { while let argument = unsafe arguments.popLast() { unsafe free(argument) } }
        unsafe arguments.append(nil)
        return unsafe posix_spawn(&process, program, &actions, nil, arguments, environ)
    }

    private func outcome(of process: pid_t) -> Outcome {
        guard let status = ExitStatus(of: process) else { return .failed }
        if status.signal == 0 { return status.code == 0 ? .done : .failed }
        return Importer.signalsOfDefects.contains(status.signal)
            ? .broken(signal: status.signal) : .failed
    }
}

/// A copy as C takes it, to be freed.
private func cString(_ bytes: [UInt8]) -> UnsafeMutablePointer<CChar>? {
    unsafe strdup(bytes.map { CChar(bitPattern: $0) } + [0])
}
