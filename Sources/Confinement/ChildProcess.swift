package import Bytes
import CLinux
import Glibc

/// A process that `forked` started, and that is waited for no longer than until a deadline; for programs
/// that have one thread.
package struct ChildProcess {
    package enum End {
        /// By itself or by a signal; nil where the system does not say which.
        case ended(ExitStatus?)
        /// It was killed at the deadline.
        case killed
    }

    /// How long to wait for the end of a process that was killed, in milliseconds. One that waits for a
    /// broken disk does not end, and is left to the system.
    private static let patienceWithKilled = 1000
    /// How often to look for the end of a child that the system does not announce, in milliseconds.
    private static let interval: CInt = 50
    /// What a pipe holds, in bytes (pipe(7)).
    private static let pipeLength = 64 << 10

    private let number: CInt

    package init(_ number: CInt) {
        self.number = number
    }

    /// Waits for its end, and meanwhile reads what it writes into a pipe. All processes of its group end
    /// with it, so that none of them keeps the pipe open.
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

    /// Waits until a child changes or the pipe can be read; returns whether the latter is the case.
    @discardableResult
    private func waitForChange(
        _ signals: borrowing ChildSignals, _ pipe: FileDescriptor?, _ deadline: Deadline
    ) -> Bool {
        // poll(2) takes no notice of negative numbers.
        var events = [signals.number, pipe?.number ?? -1].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        let left = deadline.timeLeft
        let patience = signals.number < 0 ? min(left, ChildProcess.interval) : left
        guard unsafe poll(&events, 2, patience) > 0 else { return false }
        if events[0].revents != 0 { signals.clear() }
        return events[1].revents != 0
    }

    /// The process is still a zombie at most: its number is nobody else's.
    private func endGroup() {
        _ = kill(-number, SIGKILL)
        // At its very start it may not lead the group yet.
        _ = kill(number, SIGKILL)
    }

    private func status() -> ExitStatus? {
        var status: CInt = 0
        guard unsafe waitpid(number, &status, WNOHANG) == number else { return nil }
        return ExitStatus(waited: status)
    }
}

/// How much is read at once, in bytes.
private let pieceLength = 4096

/// Reads what a pipe holds, at most a piece; returns whether there may be more.
private func read(_ pipe: FileDescriptor, _ take: (ArraySlice<UInt8>) -> Void) -> Bool {
    var piece = [UInt8](repeating: 0, count: pieceLength)
    var got = 0
    unsafe piece.withUnsafeMutableBytes { buffer in
        got = (try? unsafe pipe.read(into: buffer)) ?? 0
    }
    take(piece[..<got])
    return got > 0
}

/// Has the end of a child make a file readable, so that poll(2) can wait for it.
private struct ChildSignals: ~Copyable {
    /// Negative where the system has no more files.
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

    /// Takes what is pending.
    func clear() {
        var piece = [UInt8](repeating: 0, count: 128)
        while unsafe Glibc.read(number, &piece, piece.count) > 0 {}
    }
}

extension FileDescriptor {
    /// Whether there is something to read, or the end.
    fileprivate var hasBytes: Bool {
        var event = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&event, 1, 0) > 0
    }
}
