import Glibc
import PassSigning
import Testing

@Suite("Linting takes linear time, whatever a pass contains")
struct PassLintCostTests {
    @Test("languages with different keys")
    func languages() {
        let (small, large) = (folder(languages: 50), folder(languages: 200))
        let (short, _) = seconds(linting: small)
        let (long, lint) = seconds(linting: large)
        #expect(long / max(short, 0.003) < 8)
        // Each of the 200 languages lacks the 200 keys of each other one.
        #expect(lint.findings.count == 1_001)
        #expect(lint.findings.last?.fault == .moreFindings(count: 200 * 199 * 200 - 1_000))
    }

    @Test("languages beyond the limit are not read")
    func limit() {
        let lint = PassLint(folder(languages: 250))
        let rules = lint.findings.map(\.fault.rule)
        #expect(rules.filter { $0 == "too-many-languages" }.count == 1)
        #expect(lint.findings.last?.fault == .moreFindings(count: 200 * 199 * 200 - 999))
    }

    private func folder(languages: Int) -> PassFolder {
        var clean = CleanFolder()
        for path in ["en.lproj/pass.strings", "de.lproj/pass.strings"] { clean.files[path] = nil }
        for language in 0..<languages {
            let keys = (0..<200).map { "\"\(language) \($0)\" = \"x\";\n" }
            clean.files["x\(language).lproj/pass.strings"] = Array(keys.joined().utf8)
        }
        return clean.folder
    }

    /// The processor time of this thread, since other tests run at the same time.
    private func seconds(linting folder: PassFolder) -> (Double, PassLint) {
        let start = threadSeconds()
        let lint = PassLint(folder)
        return (threadSeconds() - start, lint)
    }
}

private func threadSeconds() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
