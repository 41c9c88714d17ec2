import Foundation
import MailSource
import PassDetection
import PassFixtures
import PassLinks
import PassPresentation
import PassSession
import PassVerification
import Testing

@testable import PassCommands
@testable import PassImport

/// The expected records are stored beside each sample; `Samples/README.md` explains their form.
@Suite("Every sample gives its expected records", .enabled(if: !Sample.all.isEmpty))
struct SamplesTests {
    @Test("record by record", arguments: Sample.all)
    func records(sample: Sample) async throws { try await check(sample, links: sample.hasLinks) }

    @Test("without --links all records except links", arguments: Sample.all.filter(\.hasLinks))
    func recordsWithoutLinks(sample: Sample) async throws {
        try await check(sample, links: false)
    }

    private func check(_ sample: Sample, links: Bool) async throws {
        var options = ImportOptions()
        options.verifier = PassVerifier(
            anchors: try TrustAnchors.apple.adding(Array(Data(contentsOf: Sample.root))))
        options.links = links ? LinkLimits() : nil
        if let types = sample.types {
            options.types = TypeMap(try TypeDeclarations.read(Data(contentsOf: types)))
        }
        var found: [Record] = []
        let summary = try await PassImport.run([.path(Path(sample.file.path))], options) { event in
            let line =
                switch event {
                case .pass(let pass): try jsonLine(PassRecord(pass))
                case .link(let link): try jsonLine(LinkRecord(link))
                case .problem(let problem): try jsonLine(ProblemRecord(ReportedProblem(problem)))
                }
            found.append(Record(line))
        }
        for difference in sample.differences(from: found, links: links) {
            Issue.record("\(difference)")
        }
        let problems = sample.expected.filter(\.isProblem)
        #expect((summary.problems > 0) == !problems.isEmpty)
        #expect(summary.foundNothing == sample.expected(links: links).allSatisfy(\.isProblem))
    }
}
