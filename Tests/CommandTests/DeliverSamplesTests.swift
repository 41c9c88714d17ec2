import Foundation
import PassFixtures
import Testing

@Suite(
    "passconduit-deliver starts an import for every sample with a result, and for few others"
)
struct DeliverSamplesTests {
    /// The sample files in a folder, sorted, and whether the program tries to start passconduit,
    /// which is missing here.
    private func started(_ kind: String) throws -> [(sample: Sample, starts: Bool)] {
        let home = try Home()
        defer { home.remove() }
        let program = Program("passconduit-deliver", home: home)
        let alone = home.path("passconduit-deliver")
        try FileManager.default.copyItem(atPath: program.path, toPath: alone)
        let samples = Sample.all.filter {
            $0.name.hasPrefix("\(kind)/") && !$0.file.hasDirectoryPath
                && (try? $0.file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true
        }
        let list = try home.write(
            Data(samples.map { $0.file.path + "\n" }.joined().utf8), to: "list")
        let line = "export PATH=; while read -r f; do ./passconduit-deliver < \"$f\"; echo $?; done"
        let result = try program.shell("(\(line)) < '\(list.path)' 2>&-")
        #expect(Set(result.lines).isSubset(of: ["0", "75"]))
        #expect(result.lines.count == samples.count)
        return zip(samples, result.lines).map { ($0, $1 == "75") }
    }

    @Test(
        "samples with expected records start an import",
        arguments: ["mail", "mailbox", "links", "passes/trusted"])
    func something(kind: String) throws {
        // Links are not searched for.
        let expected = try started(kind).filter { run in
            run.sample.expected.contains { $0.value["record"] as? String != "link" }
        }
        #expect(expected.count > (kind == "links" ? 0 : 10))
        for run in expected where !run.starts { Issue.record("\(run.sample.name)") }
    }

    @Test("samples without expected records start an import only if they must be unpacked")
    func nothing() throws {
        let runs = try started("mail").filter { $0.sample.expected.isEmpty }
        #expect(runs.count >= 20)
        #expect(
            runs.filter(\.starts).map { $0.sample.file.lastPathComponent } == [
                "none-archive-document-cut.eml", "none-base64-in-text.eml",
                "none-deleted-by-mutt.eml", "none-deleted-by-thunderbird.eml",
                "none-external-body-text.eml", "none-gzip-of-text.eml",
                "none-header-of-returned-mail.eml",
                "none-mac-applesingle-document.eml", "none-mac-binhex-document.eml",
                "none-office-file-as-octet-stream.eml", "none-office-file.eml",
                "none-outlook-document.eml", "none-outlook-rtf.eml",
                "none-outlook-text-only.eml",
                "none-smime-certificates.eml", "none-tnef-document.eml",
                "none-tnef-text-only.eml", "none-winmail-rtf.eml",
            ])
    }
}
