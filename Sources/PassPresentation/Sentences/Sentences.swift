internal import Foundation
internal import Localization
package import PassVerification

/// What other modules say, in English, as they write it into records and the library: in the reader's
/// language, and as it is where that is English.
package func translated(_ english: String) -> String {
    translated(english, by: Sentence.all)
}

/// The answer to a question about a pass: what was found, and behind a failure what its issuer can do.
package func translated(_ check: Check) -> String {
    guard check.outcome == .failed else { return translated(check.detail) }
    // An advice may have brackets of its own, and so may what is before it.
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

/// Several findings with semicolons between them, which a finding may have as well.
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
    /// The special before the general.
    fileprivate static let all =
        verification + checks + archive + contents + barcodes + library + reading + fetching
}
