import PassDownloads
import PassImport
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

    @Test(
        "in every catalogue, as are the outcomes of imports and downloads",
        arguments: PortableCatalogue.all)
    func catalogues(catalogue: PortableCatalogue) {
        catalogue.expect(Verdict.allCases.flatMap { [$0.phrase, $0.meaning] })
        catalogue.expect(ImportOutcome.allCases.map(\.phrase))
        catalogue.expect([DownloadOutcome.pageWithLinks, .passes([:])].map(\.phrase))
    }

    @Test(
        "the outcome of a download counts its passes by outcome or verdict",
        arguments: [
            (DownloadOutcome.passes([:]), "no pass"), (.pageWithLinks, "a page with links"),
            (.passes(["refused": 1, "added": 2]), "2 added, 1 refused"),
            (.passes(["unsigned": 3]), "3 unsigned"),
        ])
    func downloaded(outcome: DownloadOutcome, words: String) {
        #expect(outcome.phrase.english == words)
    }
}
