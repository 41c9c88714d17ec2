internal import Localization

/// A sentence for people, as data: its English text, by which the catalogues know it, and the values for
/// the names in it. It becomes text when it is shown, in English for records and in the reader's language
/// for people.
///
/// ```swift
/// let phrase = Phrase("{name} differs from its hash in the manifest", ["name": "logo.png"])
/// print(phrase.localized)
/// ```
///
/// Phrases are clauses: lower case, without a full stop. Values may hold text of a stranger, unescaped.
public struct Phrase: Sendable, Hashable {
    private indirect enum Content: Sendable, Hashable {
        case sentence(String, [String: Value])
        case counted(one: String, many: String, Int, [String: Value])
        case verbatim(String)
        case joined([Phrase], separator: String)
    }

    /// What stands for a name in a sentence.
    package enum Value: Sendable, Hashable {
        /// The same in every language.
        case text(String)
        /// In the language of the sentence around it.
        case phrase(Phrase)
    }

    private let content: Content

    private init(_ content: Content) {
        self.content = content
    }

    /// A sentence of the catalogues.
    ///
    /// - Parameters:
    ///   - text: In English; one literal, for xgettext.
    ///   - values: What stands for each `{name}` in it.
    package init(_ text: String, _ values: [String: Value] = [:]) {
        content = .sentence(text, values)
    }

    /// A sentence about a number of things, in the form that the language has for that number.
    ///
    /// - Parameters:
    ///   - one: In English, about a single thing.
    ///   - many: In English, about any other number.
    ///   - count: The number, which stands for `{count}`.
    ///   - values: What stands for the other names.
    package static func counted(
        _ one: String, _ many: String, _ count: Int, _ values: [String: Value] = [:]
    ) -> Phrase {
        Phrase(
            .counted(one: one, many: many, count, ["count": .number(count)].merging(values) { $1 }))
    }

    /// Text that is the same in every language: a name, or words of the system or of another program.
    package static func verbatim(_ text: String) -> Phrase {
        Phrase(.verbatim(text))
    }

    /// Several phrases, one after the other.
    package static func joined(_ phrases: [Phrase], separator: String) -> Phrase {
        Phrase(.joined(phrases, separator: separator))
    }

    /// In English, as records and programs want it.
    public var english: String { text(isLocalized: false) }

    /// In the reader's language; in English where no catalogue has the sentence.
    public var localized: String { text(isLocalized: true) }

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

    /// A number, written with digits alone.
    package static func number(_ number: some BinaryInteger) -> Phrase.Value {
        .text("\(number)")
    }

    fileprivate func text(isLocalized: Bool) -> String {
        switch self {
        case .text(let text): text
        case .phrase(let phrase): isLocalized ? phrase.localized : phrase.english
        }
    }
}
