internal import Bytes
internal import Glibc
internal import PassPresentation
internal import PassSession

/// The terminal of the person who is asked, whatever the standard streams lead to: so that a pass can
/// be read from one of them and the answer still comes from a person.
struct Dialogue: ~Copyable {
    let terminal: Terminal
    private let device: FileDescriptor

    /// Nil where nobody can be asked: without a terminal, and in its background, where who reads an
    /// answer is stopped.
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

    /// Our own words.
    func say(_ sentence: String) {
        say(wrapped(sentence, to: terminal.width))
    }

    /// Lines that are escaped already.
    func say(_ lines: [String]) {
        write(lines.map { $0 + "\n" }.joined())
    }

    /// What is typed in answer, with single spaces; nil when the terminal is gone, or at the end
    /// of input (Ctrl-D). The terminal stays as it is, so that there is nothing to restore when the
    /// question is left with Ctrl-C.
    func ask(_ question: String) -> String? {
        // What was typed before the question could be read is no answer to it.
        tcflush(device.number, TCIFLUSH)
        // The answer begins in a column of its own.
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
            // More than any answer that counts.
            if line.count < 200 { line.append(byte) }
        }
        write("\n")
        return nil
    }

    /// Who has no terminal any more is told nothing.
    private func write(_ text: String) {
        try? device.writeAll(Array(text.utf8).span)
    }
}
