/// The delays before reading files again that another program may have written to while they were
/// read. Usually one repetition is enough, but a file with a time in the future, from a server
/// whose clock is ahead, takes longer to settle.
package struct SettlingDelays {
    private var delays: [Rescan: Duration] = [:]

    /// Long enough for most files to settle.
    private static let first = Duration.seconds(4)
    private static let longest = Duration.seconds(256)

    package init() {}

    /// The rescans to repeat. The delay doubles until the files settle.
    ///
    /// - Parameter rescans: All rescans of this run.
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
