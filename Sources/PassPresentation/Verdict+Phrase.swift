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

    /// The meaning of the verdict for the user: `not signed: anyone could have made it`.
    public var meaning: Phrase {
        switch self {
        case .trusted: Phrase("unchanged since it was signed, and the signer is trusted")
        case .untrusted: Phrase("unchanged since it was signed, but the signer is not trusted")
        case .unsigned: Phrase("not signed: anyone could have made it")
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

/// The outcome of an import in one word, padded to the longest one.
package func inColumn(_ imported: ImportOutcome) -> String {
    func word(_ imported: ImportOutcome) -> String {
        switch imported {
        case .added: localized("added")
        case .updated: localized("updated")
        case .unchanged: localized("unchanged")
        case .older: localized("older")
        case .refused: localized("refused")
        }
    }
    return inColumn(word(imported), [.added, .updated, .unchanged, .refused].map(word))
}

package func inColumn(_ admission: Admission) -> String {
    inColumn(ImportOutcome(rawValue: admission.rawValue) ?? .added)
}
