import Testing

@testable import Localization

@Suite("Texts are chosen by the reader's language, and filled in")
struct WordsTests {
    @Test(
        "the language is the one that gettext would look for",
        arguments: [
            ([:], nil),
            (["LANG": "pt_BR.UTF-8"], "pt_BR"),
            (["LANG": "ko_KR.UTF-8", "LC_MESSAGES": "ru_RU.UTF-8"], "ru_RU"),
            (["LANG": "ko_KR.UTF-8", "LC_MESSAGES": "ru_RU", "LC_ALL": "de_AT@euro"], "de_AT"),
            // An empty variable is none.
            (["LANG": "ko_KR.UTF-8", "LC_ALL": ""], "ko_KR"),
            (["LANG": "ko_KR.UTF-8", "LANGUAGE": "pt:ru"], "pt:ru"),
            // In the locale C nothing is translated, whatever LANGUAGE says.
            (["LANG": "C", "LANGUAGE": "pt"], nil),
            (["LC_ALL": "POSIX", "LANGUAGE": "pt"], nil),
            (["LANG": "C.UTF-8"], nil),
            (["LANG": "C.UTF-8", "LANGUAGE": "pt"], "pt"),
        ] as [([String: String], String?)])
    func language(variables: [String: String], expected: String?) {
        #expect(Catalogue.language(in: variables) == expected)
    }

    @Test("each value stands where its name is, and is not looked through")
    func fills() {
        let text = "{old} is now {new}, {unknown} {count} {"
        #expect(
            filled(text, ["old": "{new}", "new": "7", "count": "3"])
                == "{new} is now 7, {unknown} 3 {")
        #expect(filled("{number} of {count}", ["number": "1", "count": "2"]) == "1 of 2")
        #expect(filled("", ["a": "b"]) == "")
    }

    @Test("what no catalogue has stays as it is")
    func untranslated() {
        #expect(
            localized("There is no such text, {name}", ["name": "Ana"])
                == "There is no such text, Ana")
    }
}
