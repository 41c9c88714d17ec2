internal import Localization
package import PassDetection
package import PassImport
package import PassStore
internal import PassVerification

/// The reasons for the verdict, in one line, escaped.
///
/// - Parameter withoutNames: Whether names chosen by the sender are left out.
package func reasonsInWords(_ found: FoundPass, withoutNames: Bool = false) -> String {
    let all = found.verification.reasons
    var shown = all.prefix(mostReasons).map {
        (withoutNames ? $0.phrase.withoutNames : $0.phrase).localized.escaped
    }
    if all.count > mostReasons {
        shown.append(localized("and {count} more", ["count": grouped(all.count - mostReasons)]))
    }
    var reasons = shown.joined(separator: "; ")
    // "A web page" is more helpful than "not a ZIP archive".
    if let type = found.otherType {
        reasons += localized(" (it looks like {type})", ["type": type.phrase.localized.escaped])
    }
    return reasons
}

/// Maximum number of reasons in one line. A pass may have one for each of its files.
private let mostReasons = 50

/// Why the pass was not imported, as a clause after its location.
package func refusalClause(_ found: FoundPass, withoutNames: Bool = false) -> String {
    let place = placeInWords(found.source, found.message, found.part).escaped
    let verification = found.verification
    let reasons = reasonsInWords(found, withoutNames: withoutNames)
    let clause =
        switch verification.verdict {
        case .trusted: localized("the pass is trusted and was refused")
        case .untrusted: localized("the pass is untrusted and was refused")
        case .unsigned: localized("the pass is unsigned and was refused")
        case .tampered: localized("the pass is tampered and was refused")
        case .malformed: localized("the pass is malformed and was refused")
        }
    return "\(place): \(clause)" + (reasons.isEmpty ? "" : ": \(reasons)")
}

/// The location of the problem and what went wrong, as an escaped clause.
package func problemClause(_ problem: ReportedProblem) -> String {
    let place = placeInWords(problem.source, problem.message, problem.part ?? "")
    return "\(place): \(problem.phrase.localized)".escaped
}

/// A location: `mail.mbox, message 13, part 1.2`. Messages are counted from 1. Long names are
/// shortened.
package func placeInWords(
    _ source: String, _ message: MessageReference?, _ part: String
) -> String {
    var place = source == "-" ? localized("standard input") : abbreviated(source).shortenedName
    if let message {
        place += localized(", message {name}", ["name": "\(message.index + 1)"])
    }
    if !part.isEmpty {
        place += localized(", part {number}", ["number": part.shortenedName])
    }
    return place
}

/// Turns a sentence into a clause, as used in the program's messages: lower case, without a full
/// stop.
package func clause(_ sentence: String) -> String {
    var clause = Substring(sentence)
    while clause.hasSuffix(".") || clause.hasSuffix("\n") { clause.removeLast() }
    guard let first = clause.first, first.isUppercase else { return String(clause) }
    // Leave abbreviations (`ZIP`) and names in code (`pass.json`) as they are.
    let second = clause.dropFirst().first
    guard second?.isLowercase == true || second == " " else { return String(clause) }
    return first.lowercased() + clause.dropFirst()
}

extension Origin {
    /// The source, the Message-ID and the part, escaped.
    package var inWords: String {
        var words = source == "-" ? localized("standard input") : abbreviated(source)
        if let messageID, !messageID.isEmpty {
            words += localized(", message {name}", ["name": messageID])
        }
        if let part, !part.isEmpty { words += localized(", part {number}", ["number": part]) }
        return words.escaped
    }
}
