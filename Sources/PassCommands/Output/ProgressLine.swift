internal import Localization
internal import PassPresentation

/// The progress of a long scan: a bar, the rate and the remaining time.
struct ProgressLine {
    struct Progress {
        var bytesDone: Int
        /// Nil if unknown, as for a pipe.
        var bytesTotal: Int?
        var source: String
        /// The unit of the two amounts.
        var unit = Unit.bytes

        enum Unit {
            case bytes, passes
        }
    }

    /// Operations that end sooner show no progress.
    private static let patience = Duration.milliseconds(500)
    private static let pause = Duration.milliseconds(100)

    private let width: Int
    private let start: ContinuousClock.Instant
    private var last: ContinuousClock.Instant?
    private var isShown = false

    init(width: Int, start: ContinuousClock.Instant) {
        self.width = width
        self.start = start
    }

    /// The text to send to the terminal now, if any; at most ten times a second.
    mutating func drawing(_ progress: Progress, at now: ContinuousClock.Instant) -> String? {
        guard now - start >= Self.patience else { return nil }
        if let last, now - last < Self.pause { return nil }
        last = now
        isShown = true
        return "\r" + text(progress, elapsed: now - start) + "\u{1B}[K"
    }

    /// The text that erases the line; nil if there is none.
    mutating func clearing() -> String? {
        guard isShown else { return nil }
        isShown = false
        // Redraw at once, below the lines printed in between.
        last = nil
        return "\r\u{1B}[K"
    }

    /// The progress line, never wider than the terminal.
    func text(_ progress: Progress, elapsed: Duration) -> String {
        let seconds =
            Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
        let rate = seconds > 0 ? Double(progress.bytesDone) / seconds : 0
        let speed = localized(
            "{amount}/s", ["amount": bytesForReader(Int(min(rate, 1e15)))])

        var parts: [String]
        if let total = progress.bytesTotal, total > 0 {
            let share = min(max(Double(progress.bytesDone) / Double(total), 0), 1)
            let left = rate > 0 ? Double(max(total - progress.bytesDone, 0)) / rate : 0
            let percent = "\(Int(share * 100))%"
            parts = [
                bar(share), String(repeating: " ", count: 4 - percent.count) + percent,
            ]
            switch progress.unit {
            case .bytes:
                parts += [partOfBytes(progress.bytesDone, total), speed]
            case .passes:
                parts.append(
                    counted(
                        "{number} of {count} pass", "{number} of {count} passes", total,
                        ["number": grouped(progress.bytesDone), "count": grouped(total)]))
            }
            parts.append(localized("{time} left", ["time": clock(left)]))
        } else {
            switch progress.unit {
            case .bytes: parts = [bytesForReader(progress.bytesDone), speed, clock(seconds)]
            case .passes:
                let done = progress.bytesDone
                parts = [
                    counted("{count} pass", "{count} passes", done, ["count": grouped(done)]),
                    clock(seconds),
                ]
            }
        }
        if !progress.source.isEmpty { parts.append(progress.source.escaped) }
        // Some terminals wrap when the last column is written, so leave it free.
        return clipped(parts.joined(separator: "  "), to: max(width - 1, 0))
    }
}

/// `4.2 MB of 10 MB`.
func partOfBytes(_ part: Int, _ whole: Int) -> String {
    localized(
        "{amount} of {total}", ["amount": bytesForReader(part), "total": bytesForReader(whole)])
}
