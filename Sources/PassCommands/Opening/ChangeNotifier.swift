internal import Bytes
internal import Glibc

/// Tells the desktop what changed in passes: another process of this program, for one that gives up
/// starting programs before it reads what strangers wrote. It ends when the last reference to this goes.
final class ChangeNotifier: Sendable {
    private let notices: FileDescriptor

    /// Starts the other process; nil where nothing is there that shows notifications. It has to come
    /// before this process is confined.
    init?(in environment: Environment) {
        guard OtherProgram("notify-send", in: environment) != nil,
            let own = CommandLine.programPath, var program = OtherProgram(own, in: environment)
        else { return nil }
        var ends: [CInt] = [0, 0]
        guard unsafe pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let input = FileDescriptor(ends[0])
        notices = FileDescriptor(ends[1])
        program.arguments = ["notify"].map { Array($0.utf8) }
        // Nothing waits for a desktop that does not answer.
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        let process = try? program.start(input: input)
        input.close()
        if process == nil { return nil }
    }

    deinit { notices.close() }

    /// Has it shown, as far as the desktop keeps up.
    func tell(_ notice: ChangeNotice) {
        // What is no longer than this, a pipe takes whole or not at all.
        guard let line = notice.line(upTo: ChangeNotices.longestLine) else { return }
        send(line)
    }

    /// Ends a run: of the passes that changed in it only some are shown, and now how many more there
    /// were. It is not needed at the end of the last.
    func finishRun() { send([UInt8(ascii: "\n")]) }

    private func send(_ line: [UInt8]) {
        _ = unsafe line.withUnsafeBytes { unsafe write(notices.number, $0.baseAddress, $0.count) }
    }
}

/// What the desktop is told about a pass that changed.
struct ChangeNotice: Codable, Equatable {
    /// The program's own words alone: a title could not be told from a pass's text otherwise.
    let title: String
    /// In lines.
    var body: String

    /// As one line of JSON; lines of the body are left out where it is longer than the limit. Nil where
    /// the title alone is.
    func line(upTo limit: Int) -> [UInt8]? {
        var notice = self
        while let json = try? jsonLine(notice) {
            if json.utf8.count < limit { return Array("\(json)\n".utf8) }
            if notice.body.isEmpty { return nil }
            let lines = notice.body.split(separator: "\n", omittingEmptySubsequences: false)
            notice.body = lines.dropLast().joined(separator: "\n")
        }
        return nil
    }
}
