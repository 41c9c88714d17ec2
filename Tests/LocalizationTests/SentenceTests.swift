import Testing

@testable import Localization

@Suite("A sentence of the program is recognised by its fixed words")
struct SentenceTests {
    @Test(
        "the value of each placeholder is extracted",
        arguments: [
            ("{name} differs", "pass.json differs", ["name=pass.json"]),
            ("from {start} to {end}", "from 1 to 2 to 3", ["start=1", "end=2 to 3"]),
            ("'{name}', not '{other}'", "'a', not 'b'", ["name=a", "other=b"]),
            (
                "{place}: {reason}", "mail.mbox: no: such file",
                ["place=mail.mbox", "reason=no: such file"]
            ),
            ("there is no signature", "there is no signature", []),
            ("{name} has {count} bits", "ключ has 7 bits", ["name=ключ", "count=7"]),
        ])
    func values(sentence: String, text: String, values: [String]) throws {
        let found = try #require(Sentence(sentence).values(in: Array(text.utf8)[...]))
        #expect(found.map { "\($0.key)=\($0.value)" } == values)
    }

    @Test(
        "other sentences do not match",
        arguments: [
            ("{name} differs", "pass.json differ"), ("{name} differs", " differs but"),
            ("{name} differs", "differs"), ("{name} differs", " differs"), ("{name} differs", ""),
            ("from {start} to {end}", "from 1 to"), ("from {start} to {end}", "from 1 to "),
            ("there is no signature", "there is no signature at all"),
            ("'{name}', not '{other}'", "'a', not 'b"), ("{a}{b}", "ab"),
        ])
    func others(sentence: String, text: String) {
        #expect(Sentence(sentence).values(in: Array(text.utf8)[...]) == nil)
    }

    @Test("an English sentence is unchanged")
    func english() {
        let sentences = [Sentence("{name} differs")]
        #expect(translated("pass.json differs", by: sentences) == "pass.json differs")
    }
}
