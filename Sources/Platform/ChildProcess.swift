import CLinux
import Glibc

/// A process that this one has started.
package struct ChildProcess: Sendable {
    /// The outcome of waiting until a deadline.
    package enum End: Hashable {
        /// Exited or killed by a signal; nil if the status is unknown.
        case ended(ExitStatus?)
        /// Still running at the deadline.
        case late
    }

    /// The time to wait for a killed process to end, in milliseconds. A process blocked on a broken
    /// disk does not end; init then adopts it.
    private static let patienceWithKilled = 1000
    /// The interval at which a process is polled without a pidfd, in milliseconds.
    private static let interval: CInt = 10
    /// The capacity of a pipe, in bytes (pipe(7)).
    private static let pipeLength = 64 << 10

    private let number: pid_t

    init(_ number: pid_t) {
        self.number = number
    }

    /// Waits for the process to end; nil if the status is unknown, since the process that started
    /// this one ignored SIGCHLD or another thread has waited.
    @discardableResult
    package func wait() -> ExitStatus? {
        status(options: 0)
    }

    /// Waits for the process to end, and leaves it running after the deadline.
    @discardableResult
    package func wait(until deadline: Deadline) -> End {
        waitForEnd(until: deadline) ? .ended(status(options: WNOHANG)) : .late
    }

    /// Waits for the process to end while reading its output from a pipe. At the end or the
    /// deadline, kills its whole process group, so that no process keeps the pipe open.
    package func finish(
        by deadline: Deadline, reading pipe: FileDescriptor? = nil,
        _ take: (ArraySlice<UInt8>) -> Void = { _ in }
    ) -> End {
        let hasEnded = waitForEnd(until: deadline, reading: pipe, take)
        // A process that is no longer a child may have passed its number on to another one.
        if linux_has_ended(number) >= 0 {
            _ = kill(-number, SIGKILL)
            // Right after fork, the process may not lead the group yet.
            _ = kill(number, SIGKILL)
        }
        guard hasEnded else {
            wait(until: .after(milliseconds: ChildProcess.patienceWithKilled))
            return .late
        }
        if let pipe {
            var left = ChildProcess.pipeLength / pieceLength
            while left > 0, pipe.hasBytes, read(pipe, take) { left -= 1 }
        }
        return .ended(status(options: WNOHANG))
    }

    /// Returns whether the process has ended.
    private func waitForEnd(
        until deadline: Deadline, reading pipe: FileDescriptor? = nil,
        _ take: (ArraySlice<UInt8>) -> Void = { _ in }
    ) -> Bool {
        // Confined processes and kernels before 5.3 have no pidfd; poll(2) ignores -1.
        let process = FileDescriptor(linux_open_process(number))
        defer { process.close() }
        var pipe = pipe
        while linux_has_ended(number) == 0 {
            if deadline.hasPassed { return false }
            var events = [process.number, pipe?.number ?? -1].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            let left = deadline.timeLeft
            let patience = process.number < 0 ? min(left, ChildProcess.interval) : left
            guard unsafe poll(&events, 2, patience) > 0, events[1].revents != 0 else { continue }
            if let open = pipe, !read(open, take) { pipe = nil }
        }
        return true
    }

    private func status(options: CInt) -> ExitStatus? {
        var status: CInt = 0
        while true {
            let ended = unsafe waitpid(number, &status, options)
            if ended == number { return ExitStatus(waited: status) }
            guard ended < 0, errno == EINTR else { return nil }
        }
    }
}

/// The read size, in bytes.
private let pieceLength = 4096

/// Reads at most one piece from a pipe; returns whether there may be more.
private func read(_ pipe: FileDescriptor, _ take: (ArraySlice<UInt8>) -> Void) -> Bool {
    var piece = [UInt8](repeating: 0, count: pieceLength)
    var got = 0
    unsafe piece.withUnsafeMutableBytes { buffer in
        got = (try? unsafe pipe.read(into: buffer)) ?? 0
    }
    take(piece[..<got])
    return got > 0
}

extension FileDescriptor {
    /// Whether a read would not block: there is data, or the end.
    fileprivate var hasBytes: Bool {
        var event = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&event, 1, 0) > 0
    }
}
