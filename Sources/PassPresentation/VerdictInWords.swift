internal import Localization
package import PassImport
package import PassStore
package import PassVerification

/// The verdict in one word.
package func inWords(_ verdict: Verdict) -> String {
    switch verdict {
    case .trusted: localized("trusted")
    case .untrusted: localized("untrusted")
    case .unsigned: localized("unsigned")
    case .tampered: localized("tampered")
    case .malformed: localized("malformed")
    }
}

/// The meaning of the verdict for the user.
package func meaning(of verdict: Verdict) -> String {
    switch verdict {
    case .trusted: localized("as its issuer signed it, and the signer is vouched for")
    case .untrusted: localized("as somebody signed it, but the signer is not vouched for")
    case .unsigned: localized("anybody may have made it")
    case .tampered: localized("not what its signer signed")
    case .malformed: localized("cannot be read as a pass")
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
