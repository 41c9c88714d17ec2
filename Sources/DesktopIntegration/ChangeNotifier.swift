internal import Foundation
internal import Glibc
package import PassSession
internal import Platform
internal import Synchronization

/// Shows notifications of changed passes through another process, since this one gives up the right
/// to start programs before it reads untrusted data.
package final class ChangeNotifier: Sendable {
    private struct Pipes {
        /// Nil once closed.
        var notices: FileDescriptor?
        /// Readable if the first notification could not be shown, closed once it is shown. Nil
        /// after it was read.
        var failure: FileDescriptor?
        var hasNotice = false
    }

    private let pipes: Mutex<Pipes>
    private let process: ChildProcess

    /// How long to wait for the first notification, and for the last ones.
    private static let patience = Duration.seconds(5)

    /// Starts the other process; nil if notify-send is not installed or the process
    /// cannot be started. Call it before this process
    /// is confined.
    package init?(in environment: Environment) {
        guard Program("notify-send", in: environment) != nil, let own = CommandLine.programPath
        else { return nil }
        var program = Program(at: own)
        program.arguments = [Array("notify".utf8)]
        guard let (process, notices, failure) = try? program.startWithPipes() else { return nil }
        // A desktop that does not respond must not block this process.
        _ = fcntl(notices.number, F_SETFL, O_NONBLOCK)
        pipes = Mutex(Pipes(notices: notices, failure: failure))
        self.process = process
    }

    deinit { close() }

    /// Closes the pipe and waits until the last notifications are shown, or a timeout. Without the
    /// wait, systemd would kill the other process when the service ends.
    package func end() {
        if close() { process.wait(until: .after(ChangeNotifier.patience)) }
    }

    /// - Returns: Whether it was open.
    @discardableResult
    private func close() -> Bool {
        pipes.withLock { pipes in
            defer { pipes.notices = nil }
            pipes.notices?.close()
            pipes.failure?.close()
            pipes.failure = nil
            return pipes.notices != nil
        }
    }

    /// Requests a notification; it is dropped if the pipe is full.
    package func tell(_ notice: ChangeNotice) {
        // A write to a pipe is atomic up to this length.
        guard let line = notice.line(upTo: ChangeNotices.longestLine) else { return }
        send(line)
        pipes.withLock { $0.hasNotice = true }
    }

    /// Waits until the first notification is shown, or a timeout.
    ///
    /// - Returns: Whether it could not be shown; true at most once.
    package func waitForFailure() -> Bool {
        let failure = pipes.withLock { pipes -> FileDescriptor? in
            guard pipes.hasNotice else { return nil }
            defer { pipes.failure = nil }
            return pipes.failure
        }
        guard let failure else { return false }
        defer { failure.close() }
        var event = pollfd(fd: failure.number, events: Int16(POLLIN), revents: 0)
        let patience = Deadline.after(ChangeNotifier.patience).timeLeft
        return unsafe poll(&event, 1, patience) > 0 && event.revents & Int16(POLLIN) != 0
    }

    /// Ends a run: the other process shows how many notices it left out. Not needed after the last
    /// run.
    package func finishRun() { send([UInt8(ascii: "\n")]) }

    private func send(_ line: [UInt8]) {
        pipes.withLock { pipes in
            guard let notices = pipes.notices else { return }
            _ = unsafe line.withUnsafeBytes {
                unsafe write(notices.number, $0.baseAddress, $0.count)
            }
        }
    }
}

/// A notification about a changed pass.
package struct ChangeNotice: Codable, Equatable {
    /// Never contains text of the pass, so that a pass cannot imitate the program.
    let title: String
    /// Several lines.
    package var body: String

    /// One line of JSON; lines of the body are left out to meet the limit. Nil if even the title is
    /// too long.
    package func line(upTo limit: Int) -> [UInt8]? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        var notice = self
        while let json = try? encoder.encode(notice) {
            if json.count < limit { return Array(json) + [UInt8(ascii: "\n")] }
            if notice.body.isEmpty { return nil }
            let lines = notice.body.split(separator: "\n", omittingEmptySubsequences: false)
            notice.body = lines.dropLast().joined(separator: "\n")
        }
        return nil
    }
}
