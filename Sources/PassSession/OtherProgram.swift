import Bytes
package import Glibc
package import Platform

/// Another program, run without a shell.
package struct OtherProgram {
    package let path: String
    /// Without the program's name; need not be valid text.
    package var arguments: [[UInt8]] = []

    /// A program by its path or its name in PATH.
    package init?(_ name: String, in environment: Environment) {
        let found = name.hasPrefix("/") ? name : environment.program(named: name)
        guard let found, isProgram(found) else { return nil }
        path = found
    }

    /// A program in the same folder as this one.
    package init?(besideThisOne name: String) {
        self.init(name, fromHere: [""])
    }

    /// A helper program in `libexec` (Filesystem Hierarchy Standard 3.0, 4.7), or in the build
    /// folder next to this program. Does not search PATH, which could lead to another program.
    package init?(ownedByThisOne name: String) {
        self.init(name, fromHere: ["../libexec/passconduit/", ""])
    }

    private init?(_ name: String, fromHere folders: [String]) {
        guard let own = CommandLine.programPath, let slash = own.lastIndex(of: "/") else {
            return nil
        }
        let paths = folders.map { "\(own[..<slash])/\($0)\(name)" }
        guard let found = paths.first(where: isProgram) else { return nil }
        path = found
    }

    /// Replaces this process with the program; returns only on failure.
    package func replaceThisOne() -> FileError {
        // execv keeps ignored and blocked signals, so reset them.
        _ = signal(SIGPIPE, SIG_DFL)
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe pthread_sigmask(SIG_SETMASK, &none, nil)
        unsafe withArguments { arguments in _ = unsafe execv(path, arguments) }
        let error = FileError(.start(path), errno)
        _ = signal(SIGPIPE, SIG_IGN)
        return error
    }

    /// Starts the program in a new session, so that terminal signals such as Ctrl-C do not reach
    /// it. Without `input`, its standard input is empty.
    package func start(
        input: FileDescriptor? = nil, output: FileDescriptor? = nil
    ) throws(FileError) -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        if let input {
            unsafe posix_spawn_file_actions_adddup2(&actions, input.number, STDIN_FILENO)
        } else {
            unsafe posix_spawn_file_actions_addopen(
                &actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        }
        if let output {
            unsafe posix_spawn_file_actions_adddup2(&actions, output.number, STDOUT_FILENO)
        }
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var defaults = sigset_t()
        unsafe sigemptyset(&defaults)
        unsafe sigaddset(&defaults, SIGPIPE)
        unsafe posix_spawnattr_setsigdefault(&attributes, &defaults)
        // Swift's task threads block most signals; inherited, that would disable Ctrl-C in the
        // terminal window.
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        // POSIX_SPAWN_SETSID of glibc, which Swift does not import.
        let session: CInt = 0x80
        let flags = CInt(POSIX_SPAWN_SETSIGDEF) | CInt(POSIX_SPAWN_SETSIGMASK) | session
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
        var process: pid_t = 0
        var code: CInt = 0
        unsafe withArguments { arguments in
            code = unsafe posix_spawn(
                &process, path, &actions, &attributes, arguments, environ)
        }
        guard code == 0 else { throw FileError(.start(path), code) }
        return process
    }

    /// Runs the program to its end; returns its output, up to a limit, and its exit code.
    package func output(limit: Int) -> (bytes: [UInt8], status: CInt) {
        guard let file = try? FileDescriptor.temporary(inOneOf: ["/tmp", "/var/tmp", "/dev/shm"])
        else { return ([], -1) }
        defer { file.close() }
        guard let process = try? start(output: file) else { return ([], -1) }
        guard let status = ExitStatus(of: process) else { return ([], -1) }
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            (try? unsafe file.read(at: 0, into: buffer)) ?? 0
        }
        return (Array(bytes.prefix(count)), status.signal == 0 ? status.code : -1)
    }

    /// Waits for a process to end, up to a time; returns nil if it is still running.
    @discardableResult
    package static func wait(for process: pid_t, atMost patience: Duration) -> ExitStatus? {
        let end = ContinuousClock.now + patience
        var status: CInt = 0
        while true {
            let ended = unsafe waitpid(process, &status, WNOHANG)
            if ended == process { return ExitStatus(waited: status) }
            // Another thread may have waited for the process.
            if ended < 0 || ContinuousClock.now >= end { return nil }
            usleep(10_000)
        }
    }

    private func withArguments(
        _ body: ([UnsafeMutablePointer<CChar>?]) -> Void
    ) {
        let words = [Array(path.utf8)] + arguments
        var copies = unsafe words.map { word in
            unsafe strdup(word.map { CChar(bitPattern: $0) } + [0])
        }
        defer { while let copy = unsafe copies.popLast() { unsafe free(copy) } }
        unsafe copies.append(nil)
        unsafe body(copies)
    }
}
