import Testing

@testable import PassPresentation

@Suite("A phrase becomes a sentence when it is shown")
struct PhraseTests {
    @Test("values stand for the names in it, and are not looked through")
    func values() {
        let phrase = Phrase(
            "{name} is larger than {count} bytes", ["name": "{count}", "count": .number(7)])
        #expect(phrase.english == "{count} is larger than 7 bytes")
    }

    @Test("a phrase may stand in a phrase")
    func nested() {
        let reason = Phrase("no space left on device")
        #expect(
            Phrase("cannot write: {reason}", ["reason": .phrase(reason)]).english
                == "cannot write: no space left on device")
    }

    @Test(
        "a number decides on the form", arguments: [(1, "1 file"), (0, "0 files"), (2, "2 files")])
    func counted(count: Int, text: String) {
        #expect(Phrase.counted("{count} file", "{count} files", count).english == text)
    }

    @Test("phrases are joined, and words of others stay as they are")
    func joined() {
        let phrase = Phrase.joined([Phrase("one"), .verbatim("{two}")], separator: "; ")
        #expect(phrase.english == "one; {two}")
    }
}
