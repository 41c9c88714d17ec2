import Testing

@testable import PassModel

@Suite("The language is chosen as on Apple's systems")
struct LanguageChoiceTests {
    @Test(
        arguments: [
            (["en", "pt", "pt-BR"], ["pt-BR"], "pt-BR"), (["en", "pt"], ["pt-BR"], "pt"),
            (["en", "pt-PT"], ["pt-BR"], "pt-PT"), (["en", "pt_BR"], ["pt-BR", "en"], "pt_BR"),
            (["en", "fr"], ["de-CH", "fr-CH"], "fr"), (["English", "German"], ["de-AT"], "German"),
            (["zh-Hans", "zh-Hant", "en"], ["zh-TW"], "zh-Hant"),
            (["zh-Hans", "zh-Hant", "en"], ["zh-HK"], "zh-Hant"),
            (["zh-Hans", "zh-Hant", "en"], ["zh-Hans-CN"], "zh-Hans"),
            (["zh_CN", "zh_TW", "en"], ["zh-Hant-HK"], "zh_TW"),
            (["zh_CN", "zh_TW"], ["zh-Hans"], "zh_CN"),
            (["zh", "en"], ["zh-Hant-TW", "en-GB"], "en"), (["zh_CN", "en"], ["zh"], "zh_CN"),
            (["en-US", "en-GB"], ["en-AU"], "en-GB"), (["es", "es-419"], ["es-MX"], "es-419"),
            (["no", "en"], ["nb-NO"], "no"), (["he", "en"], ["iw"], "he"),
            (["sr-Latn"], ["sr"], nil),
            (["Base", "en"], ["ja"], "Base"), (["fr", "en"], ["ja"], "en"),
            (["fr", "English"], ["ja"], "English"),
            (["fr", "en-GB"], ["ja"], "en-GB"), (["fr"], ["ja"], nil), ([], ["en"], nil),
            (["fr"], [], nil), (["zh-H\u{212A}"], ["zh-HK"], nil),
            (["", "-", "_"], ["x", "en"], nil), (["EN"], ["en"], "EN"),
            ([String(repeating: "x", count: 60_000), "fr"], ["fr"], "fr"),
        ] as [([String], [String], String?)])
    func choice(available: [String], preferred: [String], chosen: String?) {
        #expect(chosenLanguage(from: available, for: preferred) == chosen)
        #expect(chosenLanguage(from: available.reversed(), for: preferred) == chosen)
    }
}
