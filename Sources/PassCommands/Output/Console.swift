internal import Glibc
internal import Localization
internal import PassDownloads
package import PassSession
internal import Platform
internal import Synchronization

/// Does all printing: results to standard output, problems and progress to standard error. The
/// progress line is removed before other output.
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

    /// Prints a line of results; `line` must be escaped.
    func print(_ line: String) throws(OutputError) {
        hideProgress()
        try write(line + "\n", to: STDOUT_FILENO)
    }

    /// Prints the bytes of a file.
    func print(octets bytes: [UInt8]) throws(OutputError) {
        try write(bytes, to: STDOUT_FILENO)
    }

    /// Prints a problem; `clause` must be escaped.
    func problem(_ clause: String) {
        note("passconduit: \(clause)")
    }

    /// Prints a note to standard error. Write errors are ignored.
    func note(_ line: String) {
        hideProgress()
        try? write(line + "\n", to: STDERR_FILENO)
    }

    /// Shows the progress of a long operation, on a terminal only.
    func show(_ progress: ProgressLine.Progress) {
        guard errors.isTerminal else { return }
        let text = self.progress.withLock { line in
            var current = line ?? ProgressLine(width: errors.width, start: .now)
            defer { line = current }
            return current.drawing(progress, at: .now)
        }
        if let text { try? write(text, to: STDERR_FILENO) }
    }

    /// Starts a new progress line; speed and remaining time count from now.
    func beginProgress() {
        guard errors.isTerminal else { return }
        let text = progress.withLock { line in
            defer { line = nil }
            return line?.clearing()
        }
        if let text { try? write(text, to: STDERR_FILENO) }
    }

    /// Shows the progress of downloads, on a terminal only.
    func show(_ downloads: [DownloadProgress]) {
        guard errors.isTerminal else { return }
        let text = bars.withLock { bars in
            var current = bars ?? DownloadBars(width: errors.width, start: .now)
            defer { bars = current }
            return current.drawing(downloads, at: .now)
        }
        if let text { try? write(text, to: STDERR_FILENO) }
    }

    /// Removes the progress display.
    func hideProgress() {
        guard errors.isTerminal else { return }
        let texts = [progress.withLock { $0?.clearing() }, bars.withLock { $0?.clearing() }]
        for case let text? in texts { try? write(text, to: STDERR_FILENO) }
    }

    /// Asks a question; only a clear yes is true. Nil if there is no terminal to ask on.
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
            throw error.code == EPIPE ? .closed : .failed(error)
        }
    }
}

/// Whether the answer is yes, in English or the reader's language.
func isYes(_ answer: String) -> Bool {
    let answer = answer.lowercased()
    let words = localized("y yes").split(separator: " ")
    return ["y", "yes"].contains(answer) || words.contains { $0 == answer }
}

/// Why results could not be written.
enum OutputError: Error, Equatable {
    /// The reader closed the pipe (`| head`), which is not reported.
    case closed
    case failed(FileError)
}
