import Foundation
import PassPresentation
import Testing

/// A catalogue in desktop/po: its entries by English text, or by the English plural.
struct PortableCatalogue: CustomTestStringConvertible {
    let testDescription: String
    private let translations: [String: [String]]

    static let all: [PortableCatalogue] = ["ko", "pt", "pt_BR", "ru"].map(PortableCatalogue.init)

    private init(_ language: String) {
        testDescription = language
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("desktop/po/\(language).po")
        let file = (try? String(contentsOf: path, encoding: .utf8)) ?? ""
        var translations: [String: [String]] = [:]
        var (text, key) = ("", "")
        for line in file.split(separator: "\n") {
            let quote = line.firstIndex(of: "\"") ?? line.endIndex
            let word = line[..<quote].trimmingCharacters(in: .whitespaces)
            let piece = line[quote...].dropFirst().dropLast()
                .replacing("\\\"", with: "\"").replacing("\\n", with: "\n")
            if word == "msgid" || word == "msgid_plural" {
                (text, key) = ("", "text")
            } else if word.hasPrefix("msgstr") {
                key = "translation"
                translations[text, default: []].append("")
            } else if !word.isEmpty {
                continue
            }
            if key == "text" {
                text += piece
            } else if let last = translations[text]?.indices.last {
                translations[text]?[last] += piece
            }
        }
        self.translations = translations
    }

    /// Whether the text is translated, in each plural form of the language.
    func has(_ text: String) -> Bool {
        translations[text].map { $0.allSatisfy { !$0.isEmpty } } ?? false
    }

    /// Records an issue for each text in the phrases that is not translated.
    func expect(_ phrases: [Phrase]) {
        let missing = Set(phrases.flatMap(\.catalogueTexts)).filter { !has($0) }
        #expect(missing.isEmpty)
    }
}
