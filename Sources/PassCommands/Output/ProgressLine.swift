internal import Localization
internal import PassPresentation

/// The line that shows how far a long scan is: a bar, the rate, the time that is left.
struct ProgressLine {
    struct Progress {
        var bytesDone: Int
        /// Nil while it is not known, as with a pipe.
        var bytesTotal: Int?
        var source: String
        /// What is counted as if it were bytes.
        var unit = Unit.bytes

        enum Unit {
            case bytes, passes
        }
    }

    /// What is over before it could be read is not shown.
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

    /// What to send to the terminal now, if anything: at most ten drawings a second.
    mutating func drawing(_ progress: Progress, at now: ContinuousClock.Instant) -> String? {
        guard now - start >= Self.patience else { return nil }
        if let last, now - last < Self.pause { return nil }
        last = now
        isShown = true
        return "\r" + text(progress, elapsed: now - start) + "\u{1B}[K"
    }

    /// What takes the line away again, if it is there.
    mutating func clearing() -> String? {
        guard isShown else { return nil }
        isShown = false
        // Another drawing is due at once: the line comes back below what is printed now.
        last = nil
        return "\r\u{1B}[K"
    }

    /// The line itself, never wider than the terminal.
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
            parts = [bytesForReader(progress.bytesDone), speed, clock(seconds)]
        }
        if !progress.source.isEmpty { parts.append(progress.source.escaped) }
        // The last column stays free: some terminals wrap when it is written.
        return clipped(parts.joined(separator: "  "), to: max(width - 1, 0))
    }
}

/// `4.2 MB of 10 MB`.
func partOfBytes(_ part: Int, _ whole: Int) -> String {
    localized(
        "{amount} of {total}", ["amount": bytesForReader(part), "total": bytesForReader(whole)])
}
