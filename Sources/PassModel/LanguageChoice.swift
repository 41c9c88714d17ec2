internal import Bytes
import Foundation

/// The language folders of a pass in the order in which a text or an image is looked up for a
/// reader, as by `Bundle.preferredLocalizations(from:forPreferences:)`: the first one is the
/// language of the pass, the others have what it lacks.
///
/// First the folders that match the reader's languages (BCP 47), in the order of these, the closest
/// match first: `zh-HK` takes `zh-HK`, then `zh-TW`. Then the others of these languages, such as
/// those in another script: `zh-TW` takes `zh-Hans`. Then `Base`, English, and the others in the
/// order of the pass.
///
/// - Returns: The folders in one of these languages, `Base` or English, and the others.
package func languageOrder(
    of folders: [String], for preferred: [String]
) -> (suitable: [String], others: [String]) {
    var seen: Set<ExactText> = []
    var rest = folders.filter { seen.insert(ExactText($0)).inserted }
        .map { (name: $0, tag: LanguageTag($0)) }
    // Most passes have none.
    if rest.isEmpty { return ([], []) }
    var order: [String] = []
    /// Moves the folders that have a rank, the lowest first.
    func move(_ rank: (LanguageTag) -> Int?) {
        let ranks = rest.map { rank($0.tag) }
        let ranked = rest.indices.filter { ranks[$0] != nil }
            .sorted { (ranks[$0] ?? 0, $0) < (ranks[$1] ?? 0, $1) }
        order += ranked.map { rest[$0].name }
        rest = rest.indices.filter { ranks[$0] == nil }.map { rest[$0] }
    }
    let wanted = preferred.map(LanguageTag.init)
    for language in wanted { move { $0.distance(from: language) } }
    for language in wanted { move { $0.remoteness(from: language) } }
    move { $0.name == "base" ? 0 : nil }
    let english = LanguageTag("en")
    move { $0.distance(from: english) }
    return (order, rest.map(\.name))
}

/// A language tag with its fallback chain: en-AU, en-GB, en-001, en.
private struct LanguageTag {
    /// In lower case, with hyphens.
    let name: String
    /// Such as `zh`; empty if unknown. Cantonese and Wu are written as Chinese.
    private let language: String
    /// Such as `Hant`.
    private let script: String
    private let chain: [String]
    /// Whether it names a region other than that of the speakers in general.
    private let isOfRegion: Bool

    init(_ folder: String) {
        // RFC 5646, 2.1 and 4.4.1: tags are ASCII of at most 35 characters; folders may have any
        // name.
        guard folder.utf8.count <= 35, folder.utf8.allSatisfy({ $0 < 0x80 }) else {
            (name, language, script, chain, isOfRegion) = (folder, "", "", [], false)
            return
        }
        name = folder.asciiLowercased.replacing("_", with: "-")
        var parts = name.split(separator: "-", omittingEmptySubsequences: false)
        if let new = oldNames[String(parts[0])] { parts[0] = Substring(new) }
        var tag = Locale.Language(identifier: parts.joined(separator: "-"))
        let subtags = tag.maximalIdentifier.split(separator: "-").map(String.init)
        script = subtags.count > 1 ? subtags[1] : ""
        let first = script.isEmpty ? "" : subtags[0]
        language = ["yue", "wuu"].contains(first) ? "zh" : first
        let shortest = tag.minimalIdentifier
        // Apple's ICU gives these two no handicap.
        isOfRegion =
            tag.region.map { shortest.hasSuffix("-\($0.identifier)") } ?? false
            && shortest != "es-MX" && shortest != "zh-TW"
        var chain: [String] = []
        // The longest fallback chain in CLDR has four members.
        for _ in 0..<8 where !script.isEmpty {
            var link = tag.minimalIdentifier
            if link == "root" { break }
            // `it-IT` is nearer to `it-CH` than `it`, and `zh-Hant` nearer to `zh-HK` than `zh-TW`.
            if let region = tag.region?.identifier {
                if !link.hasSuffix("-\(region)") { link += "-\(region)" }
            } else if link.hasSuffix("-TW") {
                link = "zh-Hant"
            }
            if chain.last != link { chain.append(link) }
            guard let parent = tag.parent else { break }
            tag = parent
        }
        self.chain = chain
    }

    /// The number of steps up to the nearest common ancestor and down again, as Apple's ICU counts
    /// them (`ualoc_localizationsToUse`); nil for another language or script.
    func distance(from wanted: LanguageTag) -> Int? {
        if name.isExactly(wanted.name) { return -1 }
        guard let first = chain.first, script == wanted.script else { return nil }
        if first == wanted.chain.first { return 0 }
        // A Portuguese reader of any other language of theirs rather reads that than Brazilian.
        if first == "pt-BR", wanted.chain.first == "pt-PT" { return nil }
        var distances: [Int] = []
        for (up, ancestor) in wanted.chain.enumerated() {
            guard let down = chain.firstIndex(of: ancestor) else { continue }
            // Bokmål is the nearer of the two languages that `no` stands for.
            let isNynorsk = ancestor == "no" && chain.contains("nn")
            distances.append(up + down + (down > 0 && isOfRegion || isNynorsk ? 1 : 0))
        }
        return distances.min()
    }

    /// 0 for the same language and script, 1 for another script; nil for another language.
    func remoteness(from wanted: LanguageTag) -> Int? {
        guard !language.isEmpty, language.isExactly(wanted.language) else { return nil }
        return script == wanted.script ? 0 : 1
    }
}

/// Historical folder names, and deprecated tags (VIOLATIONS.md, P42), in lower case; and Mandarin,
/// for which CLDR's `languageAlias` has `zh`.
private let oldNames = [
    "english": "en", "french": "fr", "german": "de", "italian": "it", "japanese": "ja",
    "spanish": "es", "dutch": "nl", "portuguese": "pt", "swedish": "sv", "danish": "da",
    "norwegian": "nb", "finnish": "fi", "korean": "ko", "russian": "ru", "polish": "pl",
    "turkish": "tr", "greek": "el", "hebrew": "he", "arabic": "ar", "czech": "cs",
    "hungarian": "hu", "thai": "th", "chinese": "zh-Hans", "simplifiedchinese": "zh-Hans",
    "traditionalchinese": "zh-Hant",
    "iw": "he", "in": "id", "ji": "yi", "jw": "jv", "tl": "fil", "mo": "ro", "sh": "sr-Latn",
    "cmn": "zh",
]
