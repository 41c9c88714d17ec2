package import Foundation
internal import Localization

/// A sentence as data: its English text, which is the key in the catalogues, and the values of its
/// placeholders. It is rendered when it is shown, in English for records and in the reader's
/// language for people.
///
/// ```swift
/// let phrase = LibraryError.noSuchLibrary("/home/ana/passes").phrase
/// print(phrase.english, phrase.localized)
/// ```
///
/// Phrases are clauses: lower case, without a full stop. Values may contain untrusted text,
/// unescaped.
public struct Phrase: Sendable, Hashable {
    private indirect enum Content: Sendable, Hashable {
        case sentence(String, [String: Value])
        case counted(one: String, many: String, Int, [String: Value])
        case verbatim(String)
        case joined([Phrase], separator: String)
    }

    /// The value of a placeholder.
    package enum Value: Sendable, Hashable {
        /// Text that is not translated.
        case text(String)
        /// A phrase in the language of the sentence around it.
        case phrase(Phrase)
        /// A point in time: for records in UTC, for people as ``DisplayLocale/use()`` specifies.
        case moment(Date)
        /// The day of a point in time, likewise.
        case day(Date)
    }

    private let content: Content

    private init(_ content: Content) {
        self.content = content
    }

    /// Creates a sentence that the catalogues translate.
    ///
    /// - Parameters:
    ///   - text: In English; a literal, so that xgettext finds it.
    ///   - values: The value of each `{name}` in it.
    package init(_ text: String, _ values: [String: Value] = [:]) {
        content = .sentence(text, values)
    }

    /// A sentence with a number, in the plural form that the language requires.
    ///
    /// - Parameters:
    ///   - one: The English singular.
    ///   - many: The English plural.
    ///   - count: The number, which replaces `{count}`.
    ///   - values: The values of the other placeholders.
    package static func counted(
        _ one: String, _ many: String, _ count: Int, _ values: [String: Value] = [:]
    ) -> Phrase {
        Phrase(
            .counted(one: one, many: many, count, ["count": .number(count)].merging(values) { $1 }))
    }

    /// Text that is not translated: a name, or a message of the system or of another program.
    package static func verbatim(_ text: String) -> Phrase {
        Phrase(.verbatim(text))
    }

    /// Joins several phrases.
    package static func joined(_ phrases: [Phrase], separator: String) -> Phrase {
        Phrase(.joined(phrases, separator: separator))
    }

    /// The sentence in English, for records and programs.
    public var english: String { text(isLocalized: false) }

    /// The sentence in the reader's language, or in English if no catalogue has it. Values of more
    /// than 300 characters are shortened.
    public var localized: String { text(isLocalized: true) }

    /// The keys in the catalogues of this phrase and those in it; plural forms are listed by their
    /// plural.
    package var catalogueTexts: [String] {
        func texts(in values: [String: Value]) -> [String] {
            values.values.flatMap { value -> [String] in
                if case .phrase(let phrase) = value { phrase.catalogueTexts } else { [] }
            }
        }
        return switch content {
        case .sentence(let text, let values): [text] + texts(in: values)
        case .counted(_, let many, _, let values): [many] + texts(in: values)
        case .verbatim: []
        case .joined(let phrases, _): phrases.flatMap(\.catalogueTexts)
        }
    }

    /// The sentence with an ellipsis for each text that is not a number.
    package var withoutNames: Phrase {
        switch content {
        case .sentence(let text, let values):
            Phrase(.sentence(text, values.mapValues(\.withoutNames)))
        case .counted(let one, let many, let count, let values):
            Phrase(.counted(one: one, many: many, count, values.mapValues(\.withoutNames)))
        case .verbatim: self
        case .joined(let phrases, let separator):
            Phrase(.joined(phrases.map(\.withoutNames), separator: separator))
        }
    }

    private func text(isLocalized: Bool) -> String {
        func filled(_ sentence: String, _ values: [String: Value]) -> String {
            Localization.filled(sentence, values.mapValues { $0.text(isLocalized: isLocalized) })
        }
        switch content {
        case .sentence(let text, let values):
            return filled(isLocalized ? Localization.localized(text) : text, values)
        case .counted(let one, let many, let count, let values):
            let english = count.magnitude == 1 ? one : many
            return filled(isLocalized ? Localization.counted(one, many, count) : english, values)
        case .verbatim(let text):
            return text
        case .joined(let phrases, let separator):
            return phrases.map { $0.text(isLocalized: isLocalized) }.joined(separator: separator)
        }
    }
}

extension Phrase.Value: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    package init(stringLiteral text: String) {
        self = .text(text)
    }

    /// A number in digits, without separators.
    package static func number(_ number: some BinaryInteger) -> Phrase.Value {
        .text("\(number)")
    }

    fileprivate var withoutNames: Phrase.Value {
        switch self {
        case .text(let text):
            text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? self : "\u{2026}"
        case .phrase(let phrase): .phrase(phrase.withoutNames)
        case .moment, .day: self
        }
    }

    fileprivate func text(isLocalized: Bool) -> String {
        switch self {
        case .text(let text): isLocalized ? text.shortenedName : text
        case .phrase(let phrase): isLocalized ? phrase.localized : phrase.english
        case .moment(let date):
            (isLocalized ? DisplayLocale.inUse?.shortMoment(date) : nil) ?? date.formatted(.iso8601)
        case .day(let date):
            (isLocalized ? DisplayLocale.inUse?.day(date) : nil)
                ?? date.formatted(.iso8601.year().month().day())
        }
    }
}
