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
                "as its issuer signed it, and the signer is vouched for"
            ),
            (
                .untrusted, "untrusted",
                "as somebody signed it, but the signer is not vouched for"
            ),
            (.unsigned, "unsigned", "anybody may have made it"),
            (.tampered, "tampered", "not what its signer signed"),
            (.malformed, "malformed", "cannot be read as a pass"),
        ])
    func words(verdict: Verdict, word: String, meaning: String) {
        #expect(verdict.phrase.english == word)
        #expect(verdict.meaning.english == meaning)
    }
}
