import Bytes
import Glibc

/// `passconduit import`, run for one message.
struct Importer {
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
    static let signalsOfDefects = [SIGILL, SIGTRAP, SIGSEGV, SIGFPE]

    /// Runs it to its end, with the message on its standard input. What it finds, it prints nowhere.
    func run(_ message: FileDescriptor) -> Outcome {
        // Where the mail system ignores its children, their exit codes are lost.
        _ = signal(SIGCHLD, SIG_DFL)
        var process: pid_t = 0
        var code = ENOENT
        for program in Importer.places {
            code = start(program, message, &process)
            if code == 0 { return outcome(of: process) }
        }
        return .notStarted(FileError(operation: "start passconduit", code: code))
    }

    /// Where the program may be: beside this one, then in the folders of `$PATH`. Those that are not
    /// absolute depend on where the mail system happens to be, and are left out.
    private static var places: [String] {
        var folders: [Substring] = []
        if let own = ownPath(), let slash = own.lastIndex(of: "/") { folders.append(own[..<slash]) }
        if let path = unsafe getenv("PATH") {
            folders += unsafe String(cString: path).split(separator: ":")
        }
        return folders.filter { $0.hasPrefix("/") }.map { "\($0)/passconduit" }
    }

    /// Nil where there is no /proc.
    private static func ownPath() -> String? {
        guard let path = unsafe realpath("/proc/self/exe", nil) else { return nil }
        defer { unsafe free(path) }
        return unsafe String(cString: path)
    }

    /// Starts the program at a path; returns what the system answers, 0 if it runs.
    private func start(
        _ program: String, _ message: FileDescriptor, _ process: inout pid_t
    ) -> CInt {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, message.number, STDIN_FILENO)
        unsafe posix_spawn_file_actions_addopen(
            &actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        let words = ["passconduit", "import", "--tolerate-problems"].map { Array($0.utf8) }
        var arguments = unsafe (words + options + [Array("-".utf8)]).map { unsafe cString($0) }
        defer { while let argument = unsafe arguments.popLast() { unsafe free(argument) } }
        unsafe arguments.append(nil)
        return unsafe posix_spawn(&process, program, &actions, nil, arguments, environ)
    }

    private func outcome(of process: pid_t) -> Outcome {
        var status: CInt = 0
        while unsafe waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { return .failed }
        }
        // WTERMSIG and WEXITSTATUS are macros that Swift does not import.
        let signal = status & 0x7F
        if signal == 0 { return status >> 8 & 0xFF == 0 ? .done : .failed }
        return Importer.signalsOfDefects.contains(signal) ? .broken(signal: signal) : .failed
    }
}

/// A copy as C takes it, to be freed.
private func cString(_ bytes: [UInt8]) -> UnsafeMutablePointer<CChar>? {
    unsafe strdup(bytes.map { CChar(bitPattern: $0) } + [0])
}
