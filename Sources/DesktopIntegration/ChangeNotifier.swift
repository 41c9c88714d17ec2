internal import Bytes
internal import Foundation
internal import Glibc
package import PassSession
internal import Synchronization

/// Tells the desktop what changed in passes: another process of this program, for one that gives up
/// starting programs before it reads what strangers wrote.
package final class ChangeNotifier: Sendable {
    /// Nil once nothing more is told.
    private let notices: Mutex<FileDescriptor?>
    private let process: pid_t

    /// How long a desktop may take that is to show the last ones.
    private static let patience = Duration.seconds(5)

    /// Starts the other process; nil where nothing is there that shows notifications. It has to come
    /// before this process is confined.
    package init?(in environment: Environment) {
        guard OtherProgram("notify-send", in: environment) != nil,
            let own = CommandLine.programPath, var program = OtherProgram(own, in: environment)
        else { return nil }
        guard let (input, notices) = try? FileDescriptor.pipe() else { return nil }
        defer { input.close() }
        program.arguments = [Array("notify".utf8)]
        guard let process = try? program.start(input: input) else {
            notices.close()
            return nil
        }
        // Nothing waits for a desktop that does not answer.
        _ = fcntl(notices.number, F_SETFL, O_NONBLOCK)
        self.notices = Mutex(notices)
        self.process = process
    }

    deinit { close() }

    /// Has the other process end, and waits for it: what it was told is shown then, unless the desktop
    /// does not answer. A service that ends takes with it whatever it started.
    package func end() {
        if close() { OtherProgram.wait(for: process, atMost: ChangeNotifier.patience) }
    }

    /// - Returns: Whether it was open.
    @discardableResult
    private func close() -> Bool {
        notices.withLock { notices in
            defer { notices = nil }
            notices?.close()
            return notices != nil
        }
    }

    /// Has it shown, as far as the desktop keeps up.
    package func tell(_ notice: ChangeNotice) {
        // What is no longer than this, a pipe takes whole or not at all.
        guard let line = notice.line(upTo: ChangeNotices.longestLine) else { return }
        send(line)
    }

    /// Ends a run: of the passes that changed in it only some are shown, and now how many more there
    /// were. It is not needed at the end of the last.
    package func finishRun() { send([UInt8(ascii: "\n")]) }

    private func send(_ line: [UInt8]) {
        notices.withLock { notices in
            guard let notices else { return }
            _ = unsafe line.withUnsafeBytes {
                unsafe write(notices.number, $0.baseAddress, $0.count)
            }
        }
    }
}

/// What the desktop is told about a pass that changed.
package struct ChangeNotice: Codable, Equatable {
    /// The program's own words alone: a title could not be told from a pass's text otherwise.
    let title: String
    /// In lines.
    package var body: String

    /// As one line of JSON; lines of the body are left out where it is longer than the limit. Nil where
    /// the title alone is.
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
