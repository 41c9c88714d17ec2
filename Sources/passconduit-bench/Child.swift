import Foundation

/// A program that is run and measured.
struct Child {
    let seconds: Double
    /// Of all processors together; what other programs do at the same time changes it little.
    let processorSeconds: Double
    /// In bytes; never less than what this program itself holds, as the system counts it.
    let peak: Int

    /// Runs a program to its end; `output` takes what it prints.
    init(_ words: [String], output: URL = URL(filePath: "/dev/null")) throws {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(
            &actions, STDOUT_FILENO, output.path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
        defer { for index in words.indices { unsafe free(arguments[index]) } }
        var process: pid_t = 0
        let start = ContinuousClock.now
        let code = unsafe posix_spawnp(
            &process, words.first ?? "", &actions, nil, &arguments, environ)
        guard code == 0 else { throw BenchError(message: "cannot run \(words.first ?? "nothing")") }
        var status: CInt = 0
        var usage = rusage()
        while unsafe wait4(process, &status, 0, &usage) < 0, errno == EINTR {}
        let time = (ContinuousClock.now - start).components
        guard status == 0 else {
            throw BenchError(message: "\(words.joined(separator: " ")) ended with \(status >> 8)")
        }
        seconds = Double(time.seconds) + Double(time.attoseconds) / 1e18
        processorSeconds = [usage.ru_utime, usage.ru_stime].reduce(0) {
            $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6
        }
        peak = Int(usage.ru_maxrss) << 10
    }
}

struct BenchError: Error, CustomStringConvertible {
    let message: String
    var description: String { message }
}

/// Opens, reads and closes each file of a folder, and does no more.
func readFiles(in folder: String) throws {
    var buffer = [UInt8](repeating: 0, count: 256 << 10)
    for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() {
        let file = unsafe open("\(folder)/\(name)", O_RDONLY)
        while unsafe read(file, &buffer, buffer.count) > 0 {}
        close(file)
    }
}
