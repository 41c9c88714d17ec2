import Glibc

/// The moment when something has to be over. Its clock stands still while the computer sleeps, and
/// nobody can set it (CLOCK_MONOTONIC).
package struct Deadline: Comparable, Sendable {
    /// On that clock.
    private let milliseconds: Int

    private init(_ milliseconds: Int) {
        self.milliseconds = milliseconds
    }

    /// So many milliseconds from now.
    package static func after(milliseconds: Int) -> Deadline {
        Deadline(now + max(0, milliseconds))
    }

    /// How long it is until then, in milliseconds, as poll(2) takes it; 0 once it has passed.
    package var timeLeft: CInt { CInt(clamping: max(0, milliseconds - Deadline.now)) }

    package var hasPassed: Bool { timeLeft == 0 }

    package static func < (one: Deadline, other: Deadline) -> Bool {
        one.milliseconds < other.milliseconds
    }

    private static var now: Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
    }
}
