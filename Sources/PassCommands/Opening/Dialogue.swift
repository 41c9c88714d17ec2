internal import Bytes
internal import Glibc
internal import PassPresentation
internal import PassSession
internal import Platform

/// The controlling terminal. Standard streams may be redirected, for example to read a pass, and
/// the user can still answer.
struct Dialogue: ~Copyable {
    let terminal: Terminal
    private let device: FileDescriptor

    /// Nil without a terminal, and for a background process, which would be stopped when it reads.
    init?(_ environment: Environment) {
        guard isatty(STDIN_FILENO) == 1 || isatty(STDOUT_FILENO) == 1,
            let device = try? FileDescriptor.open("/dev/tty", O_RDWR)
        else { return nil }
        guard tcgetpgrp(device.number) == getpgrp() else {
            device.close()
            return nil
        }
        self.device = device
        terminal = Terminal(descriptor: device.number, environment)
    }

    deinit { device.close() }

    /// Prints a sentence of the program.
    func say(_ sentence: String) {
        say(wrapped(sentence, to: terminal.width))
    }

    /// Prints escaped lines.
    func say(_ lines: [String]) {
        write(lines.map { $0 + "\n" }.joined())
    }

    /// Returns the answer with single spaces; nil if the terminal is closed or at the end of input
    /// (Ctrl-D). Terminal settings are not changed, so Ctrl-C leaves nothing to restore.
    func ask(_ question: String) -> String? {
        // Discard input typed before the question appeared.
        tcflush(device.number, TCIFLUSH)
        // Reserve one column for the answer.
        write(wrapped(question, to: terminal.width - 1).joined(separator: "\n") + " ")
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            let got = unsafe withUnsafeMutableBytes(of: &byte) { buffer in
                (try? unsafe device.read(into: buffer)) ?? 0
            }
            guard got > 0 else { break }
            if byte == UInt8(ascii: "\n") {
                let words = String(streamSafe: line).split(separator: " ")
                return words.joined(separator: " ")
            }
            // No valid answer is longer.
            if line.count < 200 { line.append(byte) }
        }
        write("\n")
        return nil
    }

    /// Errors are ignored: the terminal may be gone.
    private func write(_ text: String) {
        try? device.writeAll(Array(text.utf8).span)
    }
}
