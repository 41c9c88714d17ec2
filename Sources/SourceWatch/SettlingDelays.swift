/// After what time it is read again what may have been written to since it was read: mostly once, but a
/// file that bears a time to come (of a server whose clock is ahead) settles only then.
package struct SettlingDelays {
    private var delays: [Rescan: Duration] = [:]

    /// After so long mostly nobody doubts any more.
    private static let first = Duration.seconds(4)
    private static let longest = Duration.seconds(256)

    package init() {}

    /// Each time twice as long, as long as it does not settle.
    ///
    /// - Parameter readings: All that was read.
    package mutating func next(for unsettled: [Rescan], of rescans: [Rescan]) -> [Rescan:
        Duration]
    {
        var next: [Rescan: Duration] = [:]
        for rescan in unsettled {
            let delay = delays[rescan].map { $0 * 2 } ?? SettlingDelays.first
            next[rescan] = min(delay, SettlingDelays.longest)
        }
        if rescans.contains(.everything) { delays = [:] }
        for rescan in rescans { delays[rescan] = nil }
        delays.merge(next) { $1 }
        return next
    }
}
