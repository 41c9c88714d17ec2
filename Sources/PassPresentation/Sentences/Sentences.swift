internal import Localization

/// Translates an English message of another module into the reader's language. Returns it unchanged
/// if there is no translation.
package func translated(_ english: String) -> String {
    translated(english, by: Sentence.all)
}

/// An error in the reader's language.
package func localized(_ error: any Error) -> String {
    (error as? any Worded)?.phrase.localized ?? translated("\(error)")
}

extension Sentence {
    /// Specific patterns come before general ones.
    fileprivate static let all = archive + reading + fetching
}
