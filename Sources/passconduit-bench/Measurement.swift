/// The measured values of a row.
struct Measurement: Encodable {
    let work: String
    let reference: String?
    let pairs: Int
    /// Medians.
    let seconds: Double?
    let processorSeconds: Double?
    let referenceSeconds: Double?
    let ratio: Double?
    let targetRatio: Double?
    let targetSeconds: Double?
    /// In bytes.
    let peak: Int?
    let targetPeak: Int?
    /// The targets missed; nil without targets or measurements.
    let missed: [Missed]?
    /// Why a value is missing.
    let problem: String?
    /// Whether a program was found but failed.
    let hasFailed: Bool

    enum Missed: String, Encodable { case ratio, seconds, memory }

    init(
        _ row: Row, _ mine: [Child] = [], _ others: [Child] = [], problem: (any Error)?,
        _ corpus: Corpus
    ) {
        work = row.work.name
        reference = row.reference?.name
        pairs = mine.count
        seconds = median(mine.map(\.seconds))
        processorSeconds = median(mine.map(\.processorSeconds))
        referenceSeconds = median(others.map(\.seconds))
        peak = mine.map(\.peak).max()
        targetPeak = row.work.memory
        self.problem = problem.map { "\($0)" }
        if mine.isEmpty, let error = problem as? BenchError, case .failed = error {
            hasFailed = true
        } else {
            hasFailed = false
        }

        var scale = 1.0
        (targetRatio, targetSeconds) =
            switch row.target {
            case .ratio(let most): (most, nil)
            case .ratioPerByte(let most), .ratioPerPass(let most): (most, nil)
            case .seconds(let most): (nil, most)
            case nil: (nil, nil)
            }
        if let reference = row.reference {
            let (mine, other) = (corpus.contents(row.work.piece), corpus.contents(reference.piece))
            switch row.target {
            case .ratioPerByte: scale = Double(other.bytes) / Double(max(mine.bytes, 1))
            case .ratioPerPass: scale = Double(other.passes) / Double(max(mine.passes, 1))
            default: break
            }
        }
        if let seconds, let referenceSeconds {
            ratio = seconds * scale / referenceSeconds
        } else {
            ratio = nil
        }
        let asked: [(what: Missed, isMet: Bool?)] = [
            (.ratio, fits(ratio, targetRatio)), (.seconds, fits(seconds, targetSeconds)),
            (.memory, fits(peak.map(Double.init), targetPeak.map(Double.init))),
        ]
        let isAnything = asked.contains { $0.isMet != nil }
        missed = isAnything ? asked.filter { $0.isMet == false }.map(\.what) : nil
    }
}

/// Nil without a value or a target.
private func fits(_ value: Double?, _ most: Double?) -> Bool? {
    guard let value, let most else { return nil }
    return value <= most
}

/// For an even count, the mean of the two middle values.
private func median(_ values: [Double]) -> Double? {
    let sorted = values.sorted()
    guard let upper = sorted.dropFirst(sorted.count / 2).first else { return nil }
    return sorted.count.isMultiple(of: 2) ? (upper + sorted[sorted.count / 2 - 1]) / 2 : upper
}
