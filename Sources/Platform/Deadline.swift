import Glibc

/// A point in time on the monotonic clock (CLOCK_MONOTONIC), which cannot be set and does not
/// advance while the computer sleeps.
package struct Deadline: Comparable, Sendable {
    private let milliseconds: Int

    private init(_ milliseconds: Int) {
        self.milliseconds = milliseconds
    }

    package static func after(milliseconds: Int) -> Deadline {
        Deadline(now + max(0, milliseconds))
    }

    package static func after(_ time: Duration) -> Deadline {
        .after(milliseconds: Int(time / .milliseconds(1)))
    }

    /// The remaining time in milliseconds, as poll(2) takes it; 0 once the deadline has passed.
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
