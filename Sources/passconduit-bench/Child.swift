import Foundation

/// A finished child process and its resource usage.
struct Child {
    let seconds: Double
    /// The CPU time over all processors, which is little affected by other load.
    let processorSeconds: Double
    /// In bytes. At least the memory of this program, because of the way the kernel counts.
    let peak: Int

    /// - Parameters:
    ///   - folder: The home and output folder, so that no personal files are used; contains
    ///     `output` and `errors`.
    ///   - input: The file on standard input.
    ///   - dialogue: A dialogue over standard input and output, instead of `input`.
    ///   - statuses: The exit codes of success.
    init(
        _ words: [String], in folder: URL, input: String = "/dev/null",
        dialogue: Dialogue? = nil, statuses: Set<Int32> = [0]
    ) throws {
        let name = words.first ?? ""
        let errors = folder.appendingPathComponent("errors").path
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        // Open the files before the clock starts: truncating an existing file takes longer than
        // reading a message.
        var streams: [CInt] = [unsafe open(input, O_RDONLY | O_CLOEXEC)]
        for path in [Child.output(in: folder), errors] {
            unsafe unlink(path)
            unsafe streams.append(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
        }
        let talk = try dialogue.map { try Talk($0) }
        for (number, stream) in (talk?.theirs ?? []).enumerated() {
            close(streams[number])
            streams[number] = stream
        }
        for (number, stream) in streams.enumerated() {
            unsafe posix_spawn_file_actions_adddup2(&actions, stream, CInt(number))
        }
        var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
        let variables = [
            "HOME=\(folder.path)/home", "LANG=C.UTF-8", "TZ=UTC",
            "PATH=/usr/local/bin:/usr/bin:/bin", "SSL_CERT_FILE=\(Site.authority(in: folder))",
        ]
        var environment = unsafe variables.map { unsafe strdup($0) } + [nil]
        defer {
            for index in words.indices { unsafe free(arguments[index]) }
            for index in variables.indices { unsafe free(environment[index]) }
        }
        var process: pid_t = 0
        let start = ContinuousClock.now
        let code = unsafe posix_spawnp(&process, name, &actions, nil, &arguments, &environment)
        for stream in streams { close(stream) }
        guard code == 0 else { throw BenchError.missing(name) }
        let talked = talk.map { talk in Result { try talk.hold() } }
        var status: CInt = 0
        var usage = rusage()
        while unsafe wait4(process, &status, 0, &usage) < 0, errno == EINTR {}
        let time = (ContinuousClock.now - start).components
        // As in a shell: a code above 128 for a signal.
        let ended = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
        guard statuses.contains(ended) else {
            if ended == 127 { throw BenchError.missing(name) }
            let said = try? String(contentsOfFile: errors, encoding: .utf8)
            let line = said?.split(separator: "\n").first ?? ""
            throw BenchError.failed("\(words.joined(separator: " ")) ended with \(ended): \(line)")
        }
        try talked?.get()
        seconds = Double(time.seconds) + Double(time.attoseconds) / 1e18
        processorSeconds = [usage.ru_utime, usage.ru_stime].reduce(0) {
            $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6
        }
        peak = Int(usage.ru_maxrss) << 10
    }

    /// The path of the last program's output.
    static func output(in folder: URL) -> String { folder.appendingPathComponent("output").path }
}

enum BenchError: Error, CustomStringConvertible {
    case missing(String)
    case failed(String)

    var description: String {
        switch self {
        case .missing(let program): "\(URL(filePath: program).lastPathComponent) is missing"
        case .failed(let what): what
        }
    }
}
