internal import Localization
package import PassImport
package import PassStore
public import PassVerification

extension Verdict: Worded {
    /// The verdict in one word: `trusted`.
    ///
    /// For example: `print(verification.verdict.phrase.localized)`
    public var phrase: Phrase {
        switch self {
        case .trusted: Phrase("trusted")
        case .untrusted: Phrase("untrusted")
        case .unsigned: Phrase("unsigned")
        case .tampered: Phrase("tampered")
        case .malformed: Phrase("malformed")
        }
    }

    /// The meaning of the verdict for the user: `anyone could have made it`.
    public var meaning: Phrase {
        switch self {
        case .trusted: Phrase("unchanged since it was signed, and the signer is trusted")
        case .untrusted: Phrase("unchanged since it was signed, but the signer is not trusted")
        case .unsigned: Phrase("anyone could have made it")
        case .tampered: Phrase("changed after it was signed")
        case .malformed: Phrase("cannot be read as a pass")
        }
    }
}

/// A number of passes with their verdict: `7 trusted`.
package func counted(_ verdict: Verdict, _ count: Int) -> String {
    switch verdict {
    case .trusted: counted("{count} trusted", "{count} trusted", count)
    case .untrusted: counted("{count} untrusted", "{count} untrusted", count)
    case .unsigned: counted("{count} unsigned", "{count} unsigned", count)
    case .tampered: counted("{count} tampered", "{count} tampered", count)
    case .malformed: counted("{count} malformed", "{count} malformed", count)
    }
}

extension ImportOutcome: Worded {
    /// The outcome in one word: `added`.
    package var phrase: Phrase {
        switch self {
        case .added: Phrase("added")
        case .updated: Phrase("updated")
        case .unchanged: Phrase("unchanged")
        case .older: Phrase("older")
        case .refused: Phrase("refused")
        }
    }
}

/// The outcome of an import in one word, padded to the longest one.
package func inColumn(_ imported: ImportOutcome) -> String {
    let outcomes: [ImportOutcome] = [.added, .updated, .unchanged, .refused]
    return inColumn(imported.phrase.localized, outcomes.map(\.phrase.localized))
}

package func inColumn(_ admission: Admission) -> String {
    inColumn(ImportOutcome(rawValue: admission.rawValue) ?? .added)
}
