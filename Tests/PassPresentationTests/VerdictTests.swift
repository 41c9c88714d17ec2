import PassPresentation
import PassVerification
import Testing

@Suite("A verdict has a word and a meaning")
struct VerdictTests {
    @Test(
        "in English",
        arguments: [
            (
                Verdict.trusted, "trusted",
                "unchanged since it was signed, and the signer is trusted"
            ),
            (
                .untrusted, "untrusted",
                "unchanged since it was signed, but the signer is not trusted"
            ),
            (.unsigned, "unsigned", "anyone could have made it"),
            (.tampered, "tampered", "changed after it was signed"),
            (.malformed, "malformed", "cannot be read as a pass"),
        ])
    func words(verdict: Verdict, word: String, meaning: String) {
        #expect(verdict.phrase.english == word)
        #expect(verdict.meaning.english == meaning)
    }
}
