internal import Bytes
import Foundation

/// The best language folder for the user's languages. Returns the closest folder in the same script
/// for the first language that has one, otherwise `Base`, otherwise English.
package func chosenLanguage(from available: [String], for preferred: [String]) -> String? {
    // RFC 5646, 2.1 and 4.4.1: tags are ASCII of at most 35 characters; folders may have any name.
    let available = available.filter { name in
        name.utf8.count <= 35 && name.utf8.allSatisfy { $0 < 0x80 }
    }
    let languages = available.sorted().map { (name: $0, tag: LanguageTag($0)) }
    func closest(to wanted: LanguageTag) -> String? {
        languages
            .compactMap { name, tag in tag.distance(from: wanted).map { (name: name, distance: $0) }
            }
            .min { $0.distance < $1.distance }?
            .name
    }
    for language in preferred {
        if available.contains(language) { return language }
        if let name = closest(to: LanguageTag(language)) { return name }
    }
    return available.first { $0 == "Base" } ?? closest(to: LanguageTag("en"))
}

/// A language tag with its fallback chain: en-AU, en-GB, en-001, en.
private struct LanguageTag {
    private let written: String
    /// Language and script, such as `zh-Hant`.
    private let script: String
    private let ancestry: [String]

    init(_ name: String) {
        let tag = name.replacing("_", with: "-")
        written = oldNames[tag] ?? tag
        var language = Locale.Language(identifier: written)
        script = language.maximalIdentifier.split(separator: "-").prefix(2).joined(separator: "-")
        var ancestry: [String] = []
        // The longest fallback chain in CLDR has four members.
        for _ in 0..<8 {
            let identifier = language.minimalIdentifier
            if identifier != "root", !ancestry.contains(identifier) { ancestry.append(identifier) }
            guard let parent = language.parent else { break }
            language = parent
        }
        self.ancestry = ancestry
    }

    /// The number of steps up to the nearest common ancestor and down again; nil for another
    /// language or script.
    func distance(from wanted: LanguageTag) -> Int? {
        guard script == wanted.script, !script.isEmpty else { return nil }
        if written.asciiLowercased == wanted.written.asciiLowercased { return 0 }
        for (up, ancestor) in wanted.ancestry.enumerated() {
            if let down = ancestry.firstIndex(of: ancestor) { return 1 + up + down }
        }
        return 1 + wanted.ancestry.count + ancestry.count
    }
}

/// Historical folder names, and deprecated tags (VIOLATIONS.md, P42).
private let oldNames = [
    "English": "en", "French": "fr", "German": "de", "Italian": "it", "Japanese": "ja",
    "Spanish": "es", "Dutch": "nl", "Portuguese": "pt", "Swedish": "sv", "Danish": "da",
    "Norwegian": "nb", "Finnish": "fi", "Korean": "ko", "Russian": "ru", "Polish": "pl",
    "Turkish": "tr", "Greek": "el", "Hebrew": "he", "Arabic": "ar", "Czech": "cs",
    "Hungarian": "hu", "Thai": "th", "SimplifiedChinese": "zh-Hans",
    "TraditionalChinese": "zh-Hant",
    "no": "nb", "iw": "he", "in": "id", "ji": "yi", "tl": "fil",
]
