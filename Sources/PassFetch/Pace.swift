/// Measures whether a body arrives fast enough, over a window of time that moves in steps.
struct Pace {
    private static let steps = 15

    private let step: Duration
    /// The number of bytes that must arrive within the window.
    private let minimum: Int
    /// The number of bytes at the begin of each of the last steps, the oldest first.
    private var counts: [Int] = []
    private var next: ContinuousClock.Instant

    /// - Parameters:
    ///   - window: In seconds.
    ///   - rate: In bytes per second.
    init(window: Double, rate: Double, from start: ContinuousClock.Instant) {
        step = .seconds(window) / Pace.steps
        minimum = Int(min(max(window * rate, 1), 1e15))
        next = start + step
        counts = [0]
    }

    /// The number of bytes that arrived within the last window; nil while these are enough, or the
    /// window has not passed yet.
    ///
    /// - Parameter count: The number of bytes so far.
    mutating func shortfall(at now: ContinuousClock.Instant, count: Int) -> Int? {
        guard now >= next else { return nil }
        // A step may be late on a busy computer; the window then is longer.
        next = now + step
        counts.append(count)
        guard counts.count > Pace.steps else { return nil }
        let arrived = count - counts.removeFirst()
        return arrived < minimum ? arrived : nil
    }
}
