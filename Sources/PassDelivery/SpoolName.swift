import Bytes
import Glibc

/// The unique file name of a message in the spool, which sorts by time (maildir(5)).
///
///     1731000000.N012345678P4242.mail.example,attempts=2
///
/// The time is that of the last attempt. The number counts the failed attempts that the message
/// itself caused; it is omitted if there were none.
struct SpoolName {
    /// The number of attempts after which a message is not retried.
    static let attemptsAtMost = 5
    /// The pause after the first attempt, in seconds; it doubles with each further attempt.
    private static let pause = 300

    private static let field = ",attempts="
    /// Larger numbers were not written by this program.
    private static let mostCounted = 1_000_000

    let text: String
    let attempts: Int
    /// In seconds since 1970.
    private let time: Int

    /// Creates a new name with the current time.
    init(attempts: Int) {
        var now = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        var bytes = [CChar](repeating: 0, count: 256)
        _ = unsafe gethostname(&bytes, bytes.count - 1)
        let host = bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            .filter { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ":") && $0 > 0x20 }
        let nanoseconds = String(now.tv_nsec)
        let padding = String(repeating: "0", count: max(0, 9 - nanoseconds.count))
        let count = attempts > 0 ? "\(SpoolName.field)\(attempts)" : ""
        text =
            "\(now.tv_sec).N\(padding)\(nanoseconds)P\(getpid())."
            + String(streamSafe: host) + count
        self.attempts = attempts
        time = now.tv_sec
    }

    /// Parses the name of an existing file, which may have another form.
    init(_ text: String) {
        self.text = text
        time = Int(Substring(text.utf8.prefix(while: \.isDigit))) ?? 0
        let digits = text.utf8.reversed().prefix(while: \.isDigit).count
        let isCounted = text.utf8.dropLast(digits).suffix(SpoolName.field.utf8.count)
            .elementsEqual(SpoolName.field.utf8)
        let count = isCounted ? Int(Substring(text.utf8.suffix(digits))) ?? 0 : 0
        attempts = min(count, SpoolName.mostCounted)
    }

    /// Whether it is too early for another attempt.
    ///
    /// - Parameter now: In seconds since 1970.
    func isPausing(at now: Int) -> Bool {
        guard attempts > 0 else { return false }
        let pause = SpoolName.pause << min(attempts - 1, SpoolName.attemptsAtMost)
        // Ignore a time in the future, from a wrong clock.
        return time <= now && now - time < pause
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
}
