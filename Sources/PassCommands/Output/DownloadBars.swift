internal import Localization
internal import PassDownloads
internal import PassLinks
internal import PassPresentation

/// The progress of several downloads, one line each, with a bar if the length is known.
struct DownloadBars {
    /// Downloads that end sooner are never shown.
    private static let patience = Duration.milliseconds(500)
    private static let pause = Duration.milliseconds(100)
    /// Terminals may have few lines, and lines that scrolled away cannot be redrawn.
    static let limit = 5

    private let width: Int
    private let start: ContinuousClock.Instant
    private var last: ContinuousClock.Instant?
    /// Number of lines on the terminal.
    private var count = 0

    init(width: Int, start: ContinuousClock.Instant) {
        self.width = width
        self.start = start
    }

    /// The text to send to the terminal now, if any; at most ten times a second.
    mutating func drawing(
        _ downloads: [DownloadProgress], at now: ContinuousClock.Instant
    ) -> String? {
        guard !downloads.isEmpty else { return clearing() }
        guard now - start >= Self.patience else { return nil }
        if let last, now - last < Self.pause { return nil }
        let lines = lines(downloads)
        let text = lines.map { $0 + "\u{1B}[K" }.joined(separator: "\n")
        defer {
            last = now
            count = lines.count
        }
        // Erase lines that are left of a longer drawing.
        return toTop + text + (count > lines.count ? "\n\u{1B}[J\u{1B}[A" : "")
    }

    /// The text that erases the lines; nil if there are none.
    mutating func clearing() -> String? {
        guard count > 0 else { return nil }
        defer {
            count = 0
            last = nil
        }
        return toTop + "\u{1B}[J"
    }

    /// Moves to the beginning of the first line (ECMA-48, 8.3.22: CUU).
    private var toTop: String {
        count > 1 ? "\r\u{1B}[\(count - 1)A" : "\r"
    }

    /// The lines, none wider than the terminal.
    func lines(_ downloads: [DownloadProgress]) -> [String] {
        let shown = downloads.count > Self.limit ? downloads.prefix(Self.limit - 1) : downloads[...]
        var lines = aligned(shown.map(cells))
        if shown.count < downloads.count {
            lines.append(
                localized("and {count} more", ["count": "\(downloads.count - shown.count)"]))
        }
        // Some terminals wrap when the last column is written, so leave it free.
        return lines.map { clipped($0, to: max(width - 1, 0)) }
    }

    /// Minimum terminal widths, in columns, to show each part. The name always keeps at least a
    /// dozen columns, since it identifies the download.
    private enum Room {
        static let bar = 72
        static let size = 50
        static let time = 32
    }

    private func cells(_ download: DownloadProgress) -> [String] {
        let received = bytesForReader(download.received)
        var share: Double?
        var size = received
        var left = ""
        if let expected = download.expected, expected > 0 {
            share = min(max(Double(download.received) / Double(expected), 0), 1)
            size = partOfBytes(download.received, expected)
            left =
                download.timeRemaining.map {
                    localized("{time} left", ["time": clock($0 / .seconds(1))])
                } ?? ""
        }
        var cells = width >= Room.bar ? [bar(share)] : []
        // Without a known length, show the bytes received in place of a percentage.
        cells.append(share.map(percent) ?? (width >= Room.size ? "" : received))
        if width >= Room.size { cells.append(size) }
        if width >= Room.time { cells.append(left) }
        return cells + [name(of: download.url).escaped]
    }
}

/// A short name of a download: `ticket.pkpass, example.com`.
private func name(of url: String) -> String {
    guard let url = WebURL(url) else { return abbreviated(url) }
    let file = url.path.split(separator: "/").last.map(String.init) ?? ""
    let host = clipped(url.host, to: 60)
    return file.isEmpty ? host : "\(clipped(file, to: 40)), \(host)"
}

/// ` 42%`, padded to the width of `100%`.
private func percent(_ share: Double) -> String {
    let number = String(Int(share * 100))
    return String(repeating: " ", count: 3 - number.count) + number + "%"
}

/// `[========>     ]`; empty if the share is unknown.
func bar(_ share: Double?) -> String {
    let columns = 20
    let full = Int((share ?? 0) * Double(columns))
    let head = share != nil && full < columns ? ">" : ""
    let rest = columns - full - head.count
    return "[" + String(repeating: "=", count: full) + head + String(repeating: " ", count: rest)
        + "]"
}
