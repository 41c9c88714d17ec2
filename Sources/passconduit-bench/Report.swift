import Foundation

/// The results as JSON.
struct Report: Encodable {
    let version = 2
    let corpus: [String: Piece.Contents]
    let rows: [Measurement]
    let counts: [Count.Measurement]

    func write(to file: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(self).write(to: file)
    }
}

/// The results as a table.
extension Measurement {
    static let heading = line(
        "work", "reference", "seconds", "reference", "ratio", "target", "peak MB", "target", "")

    var line: String {
        let words = missed.map { missed in
            missed.isEmpty ? "met" : "missed: \(missed.map(\.rawValue).joined(separator: ", "))"
        }
        return Measurement.line(
            work, reference ?? "-", number(seconds, 4), number(referenceSeconds, 4),
            number(ratio, 2),
            targetSeconds.map { number($0, 3) + " s" } ?? number(targetRatio, 2),
            number(peak.map { Double($0) / 1e6 }, 1),
            number(targetPeak.map { Double($0) / 1e6 }, 0),
            problem ?? words ?? "")
    }

    private static func line(_ cells: String...) -> String {
        let widths = [40, 24, 9, 10, 7, 8, 8, 7]
        let padded = zip(cells, widths).enumerated().map { index, pair in
            let padding = String(repeating: " ", count: max(0, pair.1 - pair.0.count))
            return index < 2 ? pair.0 + padding : padding + pair.0
        }
        return (padded + cells.dropFirst(widths.count)).joined(separator: " ")
    }
}

extension Count.Measurement {
    var line: String {
        let cell = value.map { String(format: "%14.0f", $0) } ?? "             -"
        return "\(cell)  \(name)" + (problem.map { ": \($0)" } ?? "")
    }
}

private func number(_ value: Double?, _ digits: Int) -> String {
    value.map { String(format: "%.\(digits)f", $0) } ?? "-"
}
