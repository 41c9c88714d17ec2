internal import Cryptography
internal import Glibc
internal import Platform
internal import Synchronization

/// Reads a password from the terminal, without showing it.
///
/// If a signal ends the program meanwhile, echo is turned on again. The program cannot be suspended
/// at the question: ^Z has no effect. A SIGTSTP from elsewhere stops the program without restoring
/// the terminal, as SIGSTOP does.
enum PasswordPrompt {
    /// The longest password, in bytes.
    private static let limit = 1024

    /// Nil without a terminal, or if the person gives up with ^D.
    static func password(_ question: String) -> Secret? {
        guard let terminal = try? FileDescriptor.open("/dev/tty", O_RDWR) else { return nil }
        defer { terminal.close() }
        var before = termios()
        guard unsafe tcgetattr(terminal.number, &before) == 0,
            let signals = try? StopSignals([SIGINT, SIGTERM, SIGHUP, SIGQUIT])
        else { return nil }
        let isEnding = Mutex(false)
        signals.begin { [before] signal in
            isEnding.withLock {
                $0 = true
                restore(before, on: terminal)
            }
            StopSignals.obey(signal)
        }
        defer { signals.finish() }
        var silent = before
        // Keys that interrupt are read as bytes, so that echo can be turned on first.
        silent.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        let isSilent = isEnding.withLock {
            unsafe !$0 && tcsetattr(terminal.number, TCSAFLUSH, &silent) == 0
        }
        guard isSilent else { return nil }
        try? terminal.writeAll(Array("\(question): ".utf8).span)
        var ending = Ending.line
        let secret = unsafe Secret(capacity: limit) { bytes in
            unsafe line(from: terminal, into: bytes, &ending)
        }
        restore(before, on: terminal)
        switch ending {
        case .line: return secret
        case .interrupt:
            signals.finish()
            raise(SIGINT)
            return nil
        case .end: return nil
        }
    }

    private static func restore(_ settings: termios, on terminal: FileDescriptor) {
        // In the background, the terminal has the settings of the program in the foreground, and
        // changing them would stop this one (SIGTTOU).
        guard tcgetpgrp(terminal.number) == getpgrp() else { return }
        var settings = settings
        _ = unsafe tcsetattr(terminal.number, TCSAFLUSH, &settings)
        try? terminal.writeAll([UInt8(ascii: "\n")].span)
    }

    private enum Ending {
        case line, interrupt, end
    }

    /// The number of bytes before the end of the line.
    private static func line(
        from terminal: FileDescriptor, into bytes: UnsafeMutableRawBufferPointer,
        _ ending: inout Ending
    ) -> Int {
        var count = 0
        while count < bytes.count {
            let place = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[count...count])
            guard (try? unsafe terminal.read(into: place)) == 1 else {
                ending = .end
                return 0
            }
            switch unsafe bytes[count] {
            case 0x0a, 0x0d: return count
            // ^C and ^\
            case 0x03, 0x1c:
                ending = .interrupt
                return 0
            // ^D
            case 0x04:
                if count == 0 { ending = .end }
                return count
            // Backspace, and ^U, which deletes the line.
            case 0x08, 0x7f:
                // A character of UTF-8 may have several bytes.
                repeat {
                    count = max(0, count - 1)
                } while unsafe count > 0
                    && bytes[count] & 0xc0 == 0x80
            case 0x15: count = 0
            // ^Z
            case 0x1a: break
            default: count += 1
            }
        }
        return count
    }
}
