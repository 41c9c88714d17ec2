internal import ArgumentParser
internal import Bytes
internal import DesktopIntegration
internal import Glibc
internal import PassSession
internal import Platform

/// `passconduit notify`: shows notifications requested by another process of this program.
struct Notify: Verb {
    static let configuration = CommandConfiguration(
        commandName: "notify",
        abstract:
            "Show desktop notifications about changed passes: one JSON object per line, an empty line at the end.",
        discussion: """
            Prints a line if the first of them could not be shown.

            EXAMPLES
              passconduit notify < notices
            """,
        shouldDisplay: false)

    /// How long to wait for each notification. When a systemd service ends, its child processes are
    /// killed, so this process ends only after the last notification. A desktop that does not
    /// respond delays the others by this time at most.
    private static let patience = Duration.seconds(3)

    func run(in shell: Shell) async throws -> ExitCode {
        var report: FileDescriptor? = FileDescriptor(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0))
        // Close the inherited output, so that its reader need not wait for this process.
        if let none = try? FileDescriptor.open("/dev/null", O_WRONLY) {
            for stream in [STDOUT_FILENO, STDERR_FILENO] { _ = dup2(none.number, stream) }
        }
        func show(_ notification: DesktopNotification?) {
            guard let notification else { return }
            let isShown = notification.show(in: shell.environment, waiting: Notify.patience)
            if !isShown { try? report?.writeAll(Array("not shown\n".utf8).span) }
            report?.close()
            report = nil
        }
        var notices = ChangeNotices()
        var lines = BoundedLines(FileDescriptor(STDIN_FILENO), limit: ChangeNotices.longestLine)
        while let line = lines.next() {
            show(notices.notification(for: line))
            // Reap those that took longer.
            while waitpid(-1, nil, WNOHANG) > 0 {}
        }
        show(notices.finish())
        return .done
    }
}

/// Reads lines from a stream until it ends or fails, and skips lines over the limit.
private struct BoundedLines {
    private let stream: FileDescriptor
    private let limit: Int
    private var buffer: [UInt8]
    private var waiting: ArraySlice<UInt8> = []

    init(_ stream: FileDescriptor, limit: Int) {
        self.stream = stream
        self.limit = limit
        buffer = [UInt8](repeating: 0, count: limit)
    }

    mutating func next() -> [UInt8]? {
        var line: [UInt8] = []
        var isTooLong = false
        while true {
            guard let byte = waiting.popFirst() else {
                let count = unsafe buffer.withUnsafeMutableBytes { bytes in
                    (try? unsafe stream.read(into: bytes)) ?? 0
                }
                guard count > 0 else { return nil }
                waiting = buffer[..<count]
                continue
            }
            if byte != UInt8(ascii: "\n") {
                if line.count < limit { line.append(byte) } else { isTooLong = true }
            } else if isTooLong {
                line = []
                isTooLong = false
            } else {
                return line
            }
        }
    }
}
