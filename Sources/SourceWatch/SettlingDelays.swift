/// After what time it is read again what may have been written to since it was read: mostly once, but a
/// file that bears a time to come (of a server whose clock is ahead) settles only then.
package struct SettlingDelays {
    private var delays: [Reading: Duration] = [:]

    /// After so long mostly nobody doubts any more.
    private static let first = Duration.seconds(4)
    private static let longest = Duration.seconds(256)

    package init() {}

    /// Each time twice as long, as long as it does not settle.
    ///
    /// - Parameter readings: All that was read.
    package mutating func next(for unsettled: [Reading], of readings: [Reading]) -> [Reading:
        Duration]
    {
        var next: [Reading: Duration] = [:]
        for reading in unsettled {
            let delay = delays[reading].map { $0 * 2 } ?? SettlingDelays.first
            next[reading] = min(delay, SettlingDelays.longest)
        }
        if readings.contains(.everything) { delays = [:] }
        for reading in readings { delays[reading] = nil }
        delays.merge(next) { $1 }
        return next
    }
}
