import Testing

@testable import Localization

@Suite("Texts are chosen by the reader's language and filled in")
struct WordsTests {
    @Test(
        "gettext gets the languages that come before English, which has no catalogue",
        arguments: [
            ([], []), (["en"], []), (["en-GB", "ko"], []), (["ko-KR"], ["ko_KR"]),
            (["pt-BR", "es", "en-US", "ko"], ["pt_BR", "es"]), (["enm"], ["enm"]),
        ] as [([String], [String])])
    func languages(liked: [String], wanted: [String]) {
        #expect(Catalogue.wanted(liked) == wanted)
        #expect((Catalogue(liked, ofProgram: "/usr/bin/passconduit") == nil) == wanted.isEmpty)
    }

    @Test("each placeholder is replaced by its value, which is not searched for placeholders")
    func fills() {
        let text = "{old} is now {new}, {unknown} {count} {"
        #expect(
            filled(text, [("old", "{new}"), ("new", "7"), ("count", "3")])
                == "{new} is now 7, {unknown} 3 {")
        #expect(filled("{number} of {count}", [("number", "1"), ("count", "2")]) == "1 of 2")
        #expect(filled("", [("a", "b")]) == "")
    }

    @Test("a text without a translation is unchanged")
    func untranslated() {
        #expect(
            localized("There is no such text, {name}", ["name": "Ana"])
                == "There is no such text, Ana")
    }

    @Test(
        "a text without a translation uses the English plural",
        arguments: [(0, "0 such things"), (1, "1 such thing"), (2, "2 such things")])
    func uncounted(count: Int, text: String) {
        let number = "\(count)"
        #expect(
            counted("{number} such thing", "{number} such things", count, ["number": number])
                == text)
    }
}
