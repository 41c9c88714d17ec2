import CLinux
import Glibc
package import Platform

/// A process started by `forked`, waited for until a deadline; for single-threaded programs.
package struct ChildProcess {
    package enum End {
        /// Exited or killed by a signal; nil if the status is unknown.
        case ended(ExitStatus?)
        /// Killed at the deadline.
        case killed
    }

    /// The time to wait for a killed process to end, in milliseconds. A process blocked on a broken
    /// disk does not end; init then adopts it.
    private static let patienceWithKilled = 1000
    /// The interval at which a child is polled without a signalfd, in milliseconds.
    private static let interval: CInt = 50
    /// The capacity of a pipe, in bytes (pipe(7)).
    private static let pipeLength = 64 << 10

    private let number: CInt

    package init(_ number: CInt) {
        self.number = number
    }

    /// Waits for the process to end while reading its output from a pipe. At the end, kills its
    /// whole process group, so that no process keeps the pipe open.
    package func wait(
        until deadline: Deadline, reading pipe: FileDescriptor? = nil,
        _ take: (ArraySlice<UInt8>) -> Void = { _ in }
    ) -> End {
        let signals = ChildSignals()
        var pipe = pipe
        while linux_has_ended(number) == 0 {
            if deadline.hasPassed {
                endGroup()
                let end = Deadline.after(milliseconds: ChildProcess.patienceWithKilled)
                while linux_has_ended(number) == 0, !end.hasPassed {
                    waitForChange(signals, nil, end)
                }
                _ = status()
                return .killed
            }
            if waitForChange(signals, pipe, deadline), let open = pipe {
                if !read(open, take) { pipe = nil }
            }
        }
        endGroup()
        if let pipe {
            var left = ChildProcess.pipeLength / pieceLength
            while left > 0, pipe.hasBytes, read(pipe, take) { left -= 1 }
        }
        return .ended(status())
    }

    /// Waits until a child changes state or the pipe is readable; returns whether the pipe is
    /// readable.
    @discardableResult
    private func waitForChange(
        _ signals: borrowing ChildSignals, _ pipe: FileDescriptor?, _ deadline: Deadline
    ) -> Bool {
        // poll(2) ignores negative descriptors.
        var events = [signals.number, pipe?.number ?? -1].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        let left = deadline.timeLeft
        let patience = signals.number < 0 ? min(left, ChildProcess.interval) : left
        guard unsafe poll(&events, 2, patience) > 0 else { return false }
        if events[0].revents != 0 { signals.clear() }
        return events[1].revents != 0
    }

    /// Kills the group. The process is at most a zombie by now, so its number is not reused.
    private func endGroup() {
        _ = kill(-number, SIGKILL)
        // Right after fork, the process may not lead the group yet.
        _ = kill(number, SIGKILL)
    }

    private func status() -> ExitStatus? {
        var status: CInt = 0
        guard unsafe waitpid(number, &status, WNOHANG) == number else { return nil }
        return ExitStatus(waited: status)
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

/// A signalfd for SIGCHLD, so that poll(2) can wait for the end of a child.
private struct ChildSignals: ~Copyable {
    /// Negative if no descriptor is available.
    let number: CInt
    private var mask = sigset_t()

    init() {
        var blocked = sigset_t()
        unsafe sigemptyset(&blocked)
        unsafe sigaddset(&blocked, SIGCHLD)
        unsafe pthread_sigmask(SIG_BLOCK, &blocked, &mask)
        number = linux_child_signals()
    }

    deinit {
        if number >= 0 { _ = close(number) }
        var mask = mask
        unsafe pthread_sigmask(SIG_SETMASK, &mask, nil)
    }

    /// Discards pending signals.
    func clear() {
        var piece = [UInt8](repeating: 0, count: 128)
        while unsafe Glibc.read(number, &piece, piece.count) > 0 {}
    }
}

extension FileDescriptor {
    /// Whether a read would not block: there is data, or the end.
    fileprivate var hasBytes: Bool {
        var event = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&event, 1, 0) > 0
    }
}
