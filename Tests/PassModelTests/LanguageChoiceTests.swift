import Foundation
import Glibc
import Testing

@testable import PassModel

@Suite("The language is chosen as on Apple's systems")
struct LanguageChoiceTests {
    /// Folders, readers' languages, and the expected first folder.
    @Test(
        arguments: [
            (["en", "pt", "pt-BR"], ["pt-BR"], "pt-BR"), (["en", "pt"], ["pt-BR"], "pt"),
            (["en", "pt-PT"], ["pt-BR"], "pt-PT"), (["en", "pt_BR"], ["pt-BR", "en"], "pt_BR"),
            (["en", "pt-BR"], ["pt-PT"], "pt-BR"), (["en", "pt-BR"], ["pt-PT", "en"], "en"),
            (["en", "fr"], ["de-CH", "fr-CH"], "fr"), (["English", "German"], ["de-AT"], "German"),
            (["english", "GERMAN"], ["de-AT"], "GERMAN"), (["en", "it-IT"], ["it-CH"], "it-IT"),
            (["it-CH", "it-IT"], ["it"], "it-IT"),
            (["zh-Hans", "zh-Hant", "en"], ["zh-TW"], "zh-Hant"),
            (["zh-Hans", "zh-Hant", "en"], ["zh-HK"], "zh-Hant"),
            (["zh-Hans", "zh-Hant", "en"], ["zh-Hans-CN"], "zh-Hans"),
            (["zh_CN", "zh_TW", "en"], ["zh-Hant-HK"], "zh_TW"),
            (["zh_CN", "zh_TW"], ["zh-Hans"], "zh_CN"),
            (["zh", "en"], ["zh-Hant-TW", "en-GB"], "en"), (["zh_CN", "en"], ["zh"], "zh_CN"),
            (["en", "zh"], ["zh-Hant-TW"], "zh"),
            (["en", "Base", "zh-Hans"], ["zh-TW"], "zh-Hans"),
            (["en-US", "en-GB"], ["en-AU"], "en-GB"), (["es", "es-419"], ["es-MX"], "es-419"),
            (["no", "en"], ["nb-NO"], "no"), (["en", "nb"], ["no"], "nb"),
            (["en", "nb"], ["nn-NO"], "nb"), (["en", "nn"], ["nb"], "nn"),
            (["en", "nn", "nb"], ["no"], "nb"), (["en", "nn", "nb"], ["no-NO"], "nb"),
            (["en", "nn", "no"], ["nb"], "no"), (["en", "nn", "nb"], ["nn-NO"], "nn"),
            (["en", "zh-Hans", "zh-Hant"], ["cmn-TW"], "zh-Hant"), (["en", "cmn"], ["zh"], "cmn"),
            (["he", "en"], ["iw"], "he"), (["en", "iw"], ["he-IL"], "iw"),
            (["en", "in"], ["id"], "in"), (["en", "tl"], ["fil-PH"], "tl"),
            (["en", "fil"], ["tl"], "fil"), (["en", "ji"], ["yi"], "ji"),
            (["en", "sr-Latn"], ["sr"], "sr-Latn"), (["en", "sh"], ["sr"], "sh"),
            (["en", "sr"], ["sr-Latn-RS"], "sr"), (["en", "zh_CN", "zh_TW"], ["yue-HK"], "zh_TW"),
            (["fr", "Base", "en"], ["ja"], "Base"), (["fr", "en"], ["ja"], "en"),
            (["fr", "English"], ["ja"], "English"), (["fr", "en-GB"], ["ja"], "en-GB"),
            (["fr"], ["ja"], "fr"), ([], ["en"], nil), (["fr"], [], "fr"),
            (["zh-H\u{212A}"], ["zh-HK"], "zh-H\u{212A}"), (["EN"], ["en"], "EN"),
            ([String(repeating: "x", count: 60_000), "fr"], ["fr"], "fr"),
        ] as [([String], [String], String?)])
    func choice(available: [String], preferred: [String], chosen: String?) {
        #expect(order(of: available, for: preferred).first == chosen)
        #expect(order(of: available.reversed(), for: preferred).first == chosen)
    }

    @Test(
        "Without one of these, the first folder of the pass is chosen",
        arguments: [
            (["fr", "de"], ["ja"]), (["de", "fr"], ["ja"]), (["ko", "ar", "de"], []),
            (["", "-", "_"], ["x", "en"]), (["zh-H\u{212A}", "fr"], ["zh-HK"]),
            ([String(repeating: "x", count: 60_000), "fr"], ["ja"]),
        ])
    func first(available: [String], preferred: [String]) {
        #expect(order(of: available, for: preferred) == available)
    }

    @Test(
        "A missing text is looked up in the next best folder, and each folder once",
        arguments: [
            (
                ["ko", "en", "Base", "zh-Hans", "zh_HK", "de", "zh_TW", "ko"], ["zh-HK", "de-AT"],
                ["zh_HK", "zh_TW", "de", "zh-Hans", "Base", "en", "ko"]
            ),
            (["fr", "en-US", "en", "en-GB"], ["en-AU"], ["en-GB", "en", "en-US", "fr"]),
            (["fr", "ja", "en-GB", "en"], ["de"], ["en", "en-GB", "fr", "ja"]),
        ])
    func missing(available: [String], preferred: [String], expected: [String]) {
        #expect(order(of: available, for: preferred) == expected)
    }

    /// The examples in the documentation of `ualoc_localizationsToUse` (ualoc.h of Apple's ICU),
    /// which Bundle calls.
    @Test(
        arguments: [
            (
                ["zh_CN", "zh_TW"],
                [
                    "zh_CN": "zh zh-Hans zh-Hans-CN zh-Hans-SG zh-Hans-HK zh-CN zh-SG",
                    "zh_TW": "zh-Hant zh-Hant-TW zh-Hant-HK zh-Hant-MO zh-TW zh-HK zh-MO",
                ]
            ),
            (
                ["zh_CN", "zh_TW", "zh_HK", "zh_MO"],
                [
                    "zh_CN": "zh zh-Hans zh-Hans-CN zh-Hans-SG zh-Hans-HK zh-CN zh-SG",
                    "zh_TW": "zh-Hant zh-Hant-TW zh-TW", "zh_HK": "zh-Hant-HK zh-HK",
                    "zh_MO": "zh-Hant-MO zh-MO",
                ]
            ),
            (
                ["zh_Hans", "zh_Hant", "zh_Hant_HK"],
                [
                    "zh_Hans": "zh zh-Hans zh-Hans-CN zh-Hans-SG zh-Hans-HK zh-CN zh-SG",
                    "zh_Hant": "zh-Hant zh-Hant-TW zh-TW",
                    "zh_Hant_HK": "zh-Hant-HK zh-Hant-MO zh-HK zh-MO",
                ]
            ),
            (
                ["zh_CN", "zh_TW", "zh_Hans", "zh_Hant"],
                [
                    "zh_Hans": "zh zh-Hans zh-Hans-SG zh-Hans-HK zh-SG",
                    "zh_CN": "zh-Hans-CN zh-CN", "zh_TW": "zh-Hant-TW zh-TW",
                    "zh_Hant": "zh-Hant zh-Hant-HK zh-Hant-MO zh-HK zh-MO",
                ]
            ),
            (
                ["en", "en_AU", "en_GB", "en_CA", "en_IN", "en_US"],
                [
                    "en": "en en-IL en-001 en-Latn", "en_US": "en-US", "en_AU": "en-AU",
                    "en_CA": "en-CA", "en_GB": "en-GB en-FR en-150", "en_IN": "en-IN",
                ]
            ),
            (
                ["en", "en_AU", "en_GB", "en_001", "en_150"],
                [
                    "en": "en en-US en-Latn en-Latn_US", "en_AU": "en-AU", "en_GB": "en-GB en-IN",
                    "en_001": "en-IL en-001", "en_150": "en-FR en-150",
                ]
            ),
            (
                ["es", "es_419", "es_MX"],
                ["es": "es es-ES", "es_419": "es-419 es-AR", "es_MX": "es-MX"]
            ),
            (["es", "es_ES", "es_MX"], ["es": "es es-419 es-AR", "es_ES": "es-ES"]),
            (["pt", "pt_BR", "pt_PT"], ["pt": "pt", "pt_BR": "pt-BR", "pt_PT": "pt-PT pt-MO"]),
            (["pt", "pt_BR"], ["pt": "pt pt-PT pt-MO", "pt_BR": "pt-BR"]),
        ])
    func documented(available: [String], readers: [String: String]) {
        for (folder, languages) in readers {
            for language in languages.split(separator: " ").map(String.init) {
                let chosen = order(of: ["ja"] + available, for: [language]).first
                #expect(chosen == folder, "\(language)")
            }
        }
    }

    @Test(
        "Languages match if they do for Apple's ICU, on which Foundation is built",
        .enabled(if: AppleICU() != nil, "this Foundation has another ICU"))
    func icu() throws {
        let icu = try #require(AppleICU())
        let tags =
            """
            zh zh-Hans zh-Hant zh_CN zh_TW zh_HK zh-Hant-HK zh-MO zh-SG zh-Hans-HK en en-US en_GB en-AU en-CA en-IN en-FR
            en-001 English es es-ES es-419 es_MX pt pt-BR pt_PT pt-AO fr fr-CA fr-CH French de de-CH German it it-IT it-CH
            nb no nn nb-NO nn-NO no-NO Norwegian da sr sr-Latn sr-Cyrl sr-Latn-RS he iw id in fil tl yi ji ro mo ru uk ja
            Japanese ko ar ar-EG uz uz-Cyrl hi az-Cyrl az mn ms-Arab
            """.split(whereSeparator: \.isWhitespace).map(String.init)
        for wanted in tags {
            for folder in tags {
                let (folders, languages) = (["mt", folder], [wanted, "mt"])
                let chosen = order(of: folders, for: languages).first
                #expect(
                    chosen == icu.localizations(folders, for: languages).first,
                    "\(wanted) \(folder)")
            }
        }
    }
}

private func order(of folders: [String], for preferred: [String]) -> [String] {
    let order = languageOrder(of: folders, for: preferred)
    return order.suitable + order.others
}

/// The function of Apple's ICU that chooses among the languages of a bundle. Foundation has it, but
/// calls it only on Apple's systems.
@safe private struct AppleICU {
    private typealias Texts = UnsafePointer<UnsafePointer<CChar>?>
    private typealias Choice =
        @convention(c) (
            Texts, Int32, Texts, Int32, UnsafeMutablePointer<UnsafePointer<CChar>?>, Int32,
            UnsafeMutablePointer<Int32>
        ) -> Int32

    private let choose: Choice

    init?() {
        guard let function = unsafe dlsym(nil, "ualoc_localizationsToUse") else { return nil }
        unsafe choose = unsafe unsafeBitCast(function, to: Choice.self)
    }

    func localizations(_ available: [String], for preferred: [String]) -> [String] {
        let texts: [UnsafeMutablePointer<CChar>?] = unsafe (available + preferred).map {
            unsafe strdup($0)
        }
        defer { for index in unsafe texts.indices { unsafe free(texts[index]) } }
        var chosen: [UnsafePointer<CChar>?] = unsafe Array(repeating: nil, count: available.count)
        var status: Int32 = 0
        let pointers = unsafe texts.map { unsafe UnsafePointer($0) }
        let count = unsafe pointers.withUnsafeBufferPointer { texts -> Int32 in
            guard let start = texts.baseAddress else { return 0 }
            return unsafe choose(
                start + available.count, Int32(preferred.count), start, Int32(available.count),
                &chosen, Int32(available.count), &status)
        }
        return unsafe chosen.prefix(Int(max(count, 0))).compactMap { text in
            unsafe text.map { unsafe String(cString: $0) }
        }
    }
}
