/// The recent transfer rate of a download.
struct TransferRate {
    /// In bytes per second; nil while unknown.
    private var rate: Double?
    private var received: Int
    private var time: ContinuousClock.Instant

    /// - Parameter received: The number of bytes received before, if resumed.
    init(from received: Int = 0, at time: ContinuousClock.Instant = .now) {
        self.received = received
        self.time = time
    }

    mutating func note(_ received: Int, at time: ContinuousClock.Instant = .now) {
        let seconds = (time - self.time) / .seconds(1)
        guard seconds >= 0.2 else { return }
        let latest = Double(received - self.received) / seconds
        // An exponentially weighted average.
        let weight = min(seconds / 3, 1)
        rate = rate.map { $0 + (latest - $0) * weight } ?? latest
        self.received = received
        self.time = time
    }

    /// Nil while unknown, or if too long to be meaningful.
    func timeRemaining(to size: Int?) -> Duration? {
        guard let size, let rate, rate > 0 else { return nil }
        let seconds = Double(max(size - received, 0)) / rate
        return seconds < 1e6 ? .seconds(seconds) : nil
    }
}
