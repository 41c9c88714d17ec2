internal import Bytes
internal import Glibc
internal import Localization
internal import PassDownloads
internal import PassPresentation
package import PassSession
internal import Synchronization

/// The one place that prints: results to the standard output, problems and progress to the standard
/// error, and a progress line out of the way of both.
package final class Console: Sendable {
    package let output: Terminal
    package let errors: Terminal
    private let progress: Mutex<ProgressLine?>
    private let bars: Mutex<DownloadBars?>

    package init(_ environment: Environment) {
        output = Terminal(descriptor: STDOUT_FILENO, environment)
        errors = Terminal(descriptor: STDERR_FILENO, environment)
        progress = Mutex(nil)
        bars = Mutex(nil)
    }

    /// One line of the results; `line` is escaped already.
    func print(_ line: String) throws(OutputError) {
        hideProgress()
        try write(line + "\n", to: STDOUT_FILENO)
    }

    /// The octets of a file as a result.
    func print(octets bytes: [UInt8]) throws(OutputError) {
        try write(bytes, to: STDOUT_FILENO)
    }

    /// One thing that went wrong, as a clause; `clause` is escaped already.
    func problem(_ clause: String) {
        note("passconduit: \(clause)")
    }

    /// One line beside the results. Nobody can be told when nobody reads the standard error.
    func note(_ line: String) {
        hideProgress()
        try? write(line + "\n", to: STDERR_FILENO)
    }

    /// Draws the progress of something long, on a terminal only.
    func show(_ progress: ProgressLine.Progress) {
        guard errors.isTerminal else { return }
        let text = self.progress.withLock { line in
            var current = line ?? ProgressLine(width: errors.width, start: .now)
            defer { line = current }
            return current.drawing(progress, at: .now)
        }
        if let text { try? write(text, to: STDERR_FILENO) }
    }

    /// Begins with something else: its speed, and how long it will take, count from now on.
    func beginProgress() {
        guard errors.isTerminal else { return }
        let text = progress.withLock { line in
            defer { line = nil }
            return line?.clearing()
        }
        if let text { try? write(text, to: STDERR_FILENO) }
    }

    /// Draws the progress of what is being fetched, on a terminal only.
    func show(_ downloads: [DownloadProgress]) {
        guard errors.isTerminal else { return }
        let text = bars.withLock { bars in
            var current = bars ?? DownloadBars(width: errors.width, start: .now)
            defer { bars = current }
            return current.drawing(downloads, at: .now)
        }
        if let text { try? write(text, to: STDERR_FILENO) }
    }

    /// Leaves the terminal without a trace of progress.
    func hideProgress() {
        guard errors.isTerminal else { return }
        let texts = [progress.withLock { $0?.clearing() }, bars.withLock { $0?.clearing() }]
        for case let text? in texts { try? write(text, to: STDERR_FILENO) }
    }

    /// Asks, and takes anything but a clear yes for a no; nil where there is nobody to ask.
    func confirm(_ question: String) -> Bool? {
        guard isatty(STDIN_FILENO) == 1, errors.isTerminal else { return nil }
        let answers = localized("[y/N]")
        try? write("\(question) \(answers) ", to: STDERR_FILENO)
        return isYes(readLine() ?? "")
    }

    private func write(_ text: String, to descriptor: CInt) throws(OutputError) {
        try write(Array(text.utf8), to: descriptor)
    }

    private func write(_ bytes: [UInt8], to descriptor: CInt) throws(OutputError) {
        do throws(FileError) {
            try FileDescriptor(descriptor).writeAll(bytes.span)
        } catch {
            throw error.code == EPIPE ? .closed : .failed("\(error)")
        }
    }
}

/// Whether that is a clear yes, in English or the reader's language.
func isYes(_ answer: String) -> Bool {
    let answer = answer.lowercased()
    let words = localized("y yes").split(separator: " ")
    return ["y", "yes"].contains(answer) || words.contains { $0 == answer }
}

/// Why results did not get out.
enum OutputError: Error, Equatable {
    /// The reader has seen enough (`| head`): no reason to say anything.
    case closed
    case failed(String)
}
