import Testing

@testable import PassPresentation

@Suite("A phrase becomes a sentence when it is shown")
struct PhraseTests {
    @Test("values replace placeholders, and are not searched for placeholders")
    func values() {
        let phrase = Phrase(
            "{name} is larger than {count} bytes", ["name": "{count}", "count": .number(7)])
        #expect(phrase.english == "{count} is larger than 7 bytes")
    }

    @Test("a phrase may contain a phrase")
    func nested() {
        let reason = Phrase("no space left on device")
        #expect(
            Phrase("cannot write: {reason}", ["reason": .phrase(reason)]).english
                == "cannot write: no space left on device")
    }

    @Test(
        "a number selects the plural form",
        arguments: [(1, "1 file"), (0, "0 files"), (2, "2 files")])
    func counted(count: Int, text: String) {
        #expect(Phrase.counted("{count} file", "{count} files", count).english == text)
    }

    @Test("phrases can be joined, and verbatim text is unchanged")
    func joined() {
        let phrase = Phrase.joined([Phrase("one"), .verbatim("{two}")], separator: "; ")
        #expect(phrase.english == "one; {two}")
    }
}
