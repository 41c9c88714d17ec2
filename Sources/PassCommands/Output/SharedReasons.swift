internal import Localization
internal import PassImport
internal import PassPresentation
internal import PassVerification

/// Why passes are not trusted.
struct VerdictReasons: Hashable {
    private let verdict: Verdict
    /// Escaped; empty if there are none.
    private let text: String

    /// Nil for a trusted pass.
    init?(_ found: FoundPass) {
        verdict = found.verification.verdict
        if verdict == .trusted { return nil }
        text = found.verification.reasons.isEmpty ? "" : reasonsInWords(found)
    }

    /// `untrusted: the certificate 'Example' leads to no trust anchor`, with the number of passes if
    /// there are several, in a few indented lines.
    func lines(for count: Int = 1, on terminal: Terminal) -> [String] {
        let word = verdict.phrase.localized
        // Without symbols, the word stands at the beginning of the line of a pass.
        if !terminal.hasSymbols, count == 1 { return text.isEmpty ? [] : terminal.indented(text) }
        let reasons = text.isEmpty ? word : "\(word): \(text)"
        let passes = counted(
            "{count} pass: {text}", "{count} passes: {text}", count,
            ["count": grouped(count), "text": reasons])
        var lines = terminal.indented(count == 1 ? reasons : passes)
        lines[0] = lines[0].replacing(
            word, with: painted(verdict, on: terminal), maxReplacements: 1)
        return lines
    }
}

/// The reasons in a run, each printed once for all passes that have them: below the last of several
/// passes in a row, or at the end if they were not in a row.
struct SharedReasons {
    /// Those of the last passes, not printed yet.
    private var held: (reasons: VerdictReasons, count: Int)?
    private var printed: [(reasons: VerdictReasons, count: Int)] = []
    private var places: [VerdictReasons: Int] = [:]
    /// The places of those whose count has grown since.
    private var grown: Set<Int> = []

    /// Maximum number of different reasons in memory; others are printed each time.
    private static let limit = 1000

    /// Counts a pass. Returns the lines to print before its own.
    mutating func take(_ reasons: VerdictReasons?, on terminal: Terminal) -> [String] {
        if let reasons, held?.reasons == reasons {
            held?.count += 1
            return []
        }
        let lines = flush(on: terminal)
        guard let reasons else { return lines }
        if let place = places[reasons] {
            printed[place].count += 1
            grown.insert(place)
        } else {
            held = (reasons, 1)
        }
        return lines
    }

    /// The lines about the last passes, to print before anything else.
    mutating func flush(on terminal: Terminal) -> [String] {
        guard let held else { return [] }
        self.held = nil
        if printed.count < SharedReasons.limit {
            places[held.reasons] = printed.count
            printed.append(held)
        }
        return held.reasons.lines(for: held.count, on: terminal)
    }

    /// The lines about passes that were not in a row, for the end.
    func rest(on terminal: Terminal) -> [String] {
        grown.sorted().flatMap { printed[$0].reasons.lines(for: printed[$0].count, on: terminal) }
    }
}
