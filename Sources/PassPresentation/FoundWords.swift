internal import Localization
package import PassImport
package import PassStore
internal import PassVerification

/// The reasons for a verdict, in one line, escaped.
package func reasonsInWords(_ found: FoundPass) -> String {
    var reasons = found.verification.reasons.map { translated($0.detail).escaped }
        .joined(separator: "; ")
    // A web page in place of a pass says more to a person than that it is no ZIP archive.
    if let type = found.otherType {
        reasons += localized(" (it looks like {type})", ["type": type.escaped])
    }
    return reasons
}

/// Why a pass does not enter the library, as a clause behind the place where it is.
package func refusalClause(_ found: FoundPass) -> String {
    let place = placeInWords(found.source, found.message, found.part).escaped
    let verification = found.verification
    let reasons = reasonsInWords(found)
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

/// What went wrong, as a clause behind the place where it did.
package func problemClause(_ problem: Problem) -> String {
    let place = placeInWords(problem.source, problem.message, problem.part ?? "")
    return "\(place): \(clause(translated(problem.detail)))".escaped
}

/// Where something lies: `mail.mbox, message 13, part 1.2`. People count messages from 1.
package func placeInWords(
    _ source: String, _ message: MessageReference?, _ part: String
) -> String {
    var place = source == "-" ? localized("standard input") : abbreviated(source)
    if let message {
        place += localized(", message {name}", ["name": "\(message.index + 1)"])
    }
    if !part.isEmpty { place += localized(", part {number}", ["number": part]) }
    return place
}

/// A sentence as the program's own messages are written: it begins in lower case and has no full stop.
package func clause(_ sentence: String) -> String {
    var clause = Substring(sentence)
    while clause.hasSuffix(".") || clause.hasSuffix("\n") { clause.removeLast() }
    guard let first = clause.first, first.isUppercase else { return String(clause) }
    // An abbreviation (`ZIP`) or a name in code (`pass.json`) stays as it is.
    let second = clause.dropFirst().first
    guard second?.isLowercase == true || second == " " else { return String(clause) }
    return first.lowercased() + clause.dropFirst()
}

extension Origin {
    /// A file, a part of a mail in it, and the mail's name: enough to find it again.
    package var inWords: String {
        var words = source == "-" ? localized("standard input") : abbreviated(source)
        if let messageID, !messageID.isEmpty {
            words += localized(", message {name}", ["name": messageID])
        }
        if let part, !part.isEmpty { words += localized(", part {number}", ["number": part]) }
        return words.escaped
    }
}
