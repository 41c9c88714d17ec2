internal import Foundation
internal import Localization
package import PassVerification

/// Translates an English message of another module into the reader's language. Returns it unchanged
/// if there is no translation.
package func translated(_ english: String) -> String {
    translated(english, by: Sentence.all)
}

/// An error in the reader's language.
package func localized(_ error: any Error) -> String {
    (error as? any Worded)?.phrase.localized ?? translated("\(error)")
}

/// The result of a check, with advice to the issuer if it failed.
package func translated(_ check: Check) -> String {
    guard check.outcome == .failed else { return translated(check.detail) }
    // Advice may contain brackets, and so may the text before it.
    var rest = check.detail[...]
    for _ in 0..<3 {
        let bytes = rest.utf8
        guard let place = bytes.indices.last(where: { bytes[$0...].starts(with: " (".utf8) }) else {
            break
        }
        let advice = String(check.detail[bytes.index(place, offsetBy: 2)...].dropLast())
        let todo = translated(advice)
        if todo != advice {
            return translated(findings: check.detail[..<place]) + " (\(todo))"
        }
        rest = rest[..<place]
    }
    return translated(check.detail)
}

/// Translates findings separated by semicolons; a finding may contain semicolons too.
private func translated(findings: Substring) -> String {
    var parts = findings.components(separatedBy: "; ")[...]
    var translations: [String] = []
    while let first = parts.popFirst() {
        var translation = translated(first)
        if translation == first, let second = parts.first {
            let both = "\(first); \(second)"
            if translated(both) != both {
                translation = translated(both)
                parts = parts.dropFirst()
            }
        }
        translations.append(translation)
    }
    return translations.joined(separator: "; ")
}

extension Sentence {
    /// Specific patterns come before general ones.
    fileprivate static let all =
        verification + checks + archive + contents + barcodes + reading + fetching
}
