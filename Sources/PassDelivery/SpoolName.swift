import Bytes
import Glibc

/// The name of a message in the spool: one that no other message has, and that sorts by its time
/// (maildir(5)).
///
///     1731000000.N012345678P4242.mail.example,attempts=2
///
/// The time is that of the last attempt to bring it in. The number counts the attempts that failed for
/// no other reason than the message, as far as that is known; it is not there as long as there were
/// none.
struct SpoolName {
    /// After so many attempts a message is not tried again.
    static let attemptsAtMost = 5
    /// How long a message waits after its first attempt, in seconds; after each further one, twice as
    /// long as before.
    private static let pause = 300

    private static let field = ",attempts="
    /// Larger numbers, which no run writes, are not counted on.
    private static let mostCounted = 1_000_000

    let text: String
    let attempts: Int
    /// In seconds since 1970.
    private let time: Int

    /// A new name, with the time of this moment.
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

    /// The name of a file that is there. One that others gave it may say nothing.
    init(_ text: String) {
        self.text = text
        time = Int(Substring(text.utf8.prefix(while: \.isDigit))) ?? 0
        let digits = text.utf8.reversed().prefix(while: \.isDigit).count
        let isCounted = text.utf8.dropLast(digits).suffix(SpoolName.field.utf8.count)
            .elementsEqual(SpoolName.field.utf8)
        let count = isCounted ? Int(Substring(text.utf8.suffix(digits))) ?? 0 : 0
        attempts = min(count, SpoolName.mostCounted)
    }

    /// Whether the last attempt is too short a time ago for another one.
    ///
    /// - Parameter now: In seconds since 1970.
    func isPausing(at now: Int) -> Bool {
        guard attempts > 0 else { return false }
        let pause = SpoolName.pause << min(attempts - 1, SpoolName.attemptsAtMost)
        // A time in the future is that of a clock that was wrong.
        return time <= now && now - time < pause
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
}
