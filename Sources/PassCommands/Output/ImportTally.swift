internal import Localization
internal import PassImport
internal import PassModel
internal import PassPresentation
internal import PassVerification

/// What happened to the passes of an import.
struct ImportTally {
    private var counts: [ImportOutcome: Int] = [:]
    /// The passes that were added or updated; only the first two.
    private(set) var newPasses: Set<PassIdentity> = []
    /// A file that was refused and contains nothing else.
    private(set) var refusedFile: String?

    mutating func count(_ found: FoundPass) {
        guard let outcome = found.imported else { return }
        counts[outcome, default: 0] += 1
        switch outcome {
        case .added, .updated:
            guard newPasses.count < 2, let pass = found.verification.pass else { return }
            newPasses.insert(pass.identity)
        case .refused:
            let isFile = found.message == nil && found.part.isEmpty && found.download == nil
            if refusedFile == nil, isFile, found.source != "-" { refusedFile = found.source }
        case .older, .unchanged: break
        }
    }

    /// `3 added, 1 updated, 2 refused`; nil if no pass was found.
    ///
    /// - Parameter tellsHidden: Whether to say how unchanged passes are listed.
    func line(tellsHidden: Bool) -> String? {
        func count(_ outcome: ImportOutcome) -> Int { counts[outcome] ?? 0 }
        let (added, updated, older) = (count(.added), count(.updated), count(.older))
        let (unchanged, refused) = (count(.unchanged), count(.refused))
        let hint = tellsHidden ? localized(" (-v lists them)") : ""
        let parts = [
            (added, counted("{count} added", "{count} added", added)),
            (updated, counted("{count} updated", "{count} updated", updated)),
            (older, counted("{count} older", "{count} older", older)),
            (unchanged, counted("{count} unchanged", "{count} unchanged", unchanged) + hint),
            (refused, counted("{count} refused", "{count} refused", refused)),
        ].filter { $0.0 > 0 }
        return parts.isEmpty ? nil : parts.map(\.1).joined(separator: ", ")
    }
}
