import Foundation
import PassFixtures
import Testing

/// `Samples/README.md` explains the records stored beside each sample. Here the program reads many
/// samples at a time; PassCommandsTests reads each one alone.
@Suite("Scanning all samples gives their expected records", .enabled(if: !Sample.all.isEmpty))
struct SamplesTests {
    /// Samples that are scanned together, and the exit code.
    struct Batch: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let samples: [Sample]
        var links = false
        var types: URL?
        let status: Int32
    }

    @Test("with all options and exit codes", arguments: batches)
    func records(batch: Batch) throws {
        let home = try Home()
        defer { home.remove() }
        var arguments = ["scan", "--json", "--trust-root", Sample.root.path]
        if batch.links { arguments.append("--links") }
        if let types = batch.types { arguments += ["--types", types.path] }
        let result = try Program(home: home).run(arguments + batch.samples.map(\.file.path))

        #expect(result.status == batch.status)
        let found = result.records.dropLast().map(Record.init).map { ($0.source, $0) }
        for sample in batch.samples {
            let path = sample.file.path
            let own = found.filter { $0.0 == path || $0.0.hasPrefix(path + "/") }.map(\.1)
            for difference in sample.differences(from: own, links: batch.links) {
                Issue.record("\(difference)")
            }
            let isTold = result.errors.contains("passconduit: \(path)")
            let isExpected = sample.expected(links: batch.links).contains(where: \.isProblem)
            #expect(isTold == isExpected, "\(path)")
        }
        let count = batch.samples.map { $0.expected(links: batch.links).count }.reduce(0, +)
        #expect(found.count == count)
        let problems = batch.samples.flatMap { $0.expected(links: batch.links) }
            .filter(\.isProblem)
        #expect(result.errors.isEmpty == problems.isEmpty)
    }

    /// Each sample once, and the samples with links once more without --links.
    static let batches: [Batch] = {
        let plain = Sample.all.filter { !$0.hasLinks && $0.types == nil }
        // Fragments of the same message are stored in several samples.
        let isPiece = { (sample: Sample) in sample.name.contains("/partial-") }
        let ways: [(name: String, samples: [Sample], links: Bool, types: URL?)] =
            [
                ("mails and passes", plain.filter { !isPiece($0) }, false, nil),
                ("links", Sample.all.filter(\.hasLinks), true, nil),
                ("links that are not looked for", Sample.all.filter(\.hasLinks), false, nil),
            ]
            + plain.filter(isPiece).map { ($0.name, [$0], false, nil) }
            + Sample.all.filter { $0.types != nil }.map {
                ($0.name + " with its types", [$0], $0.hasLinks, $0.types)
            }
        return ways.flatMap { way in
            let byStatus = Dictionary(grouping: way.samples) { sample -> Int32 in
                let expected = sample.expected(links: way.links)
                let isUnreadable = expected.contains { $0.isProblem && !$0.isIncidental }
                return isUnreadable ? 2 : expected.allSatisfy(\.isProblem) ? 1 : 0
            }
            return byStatus.sorted { $0.key < $1.key }.map { status, samples in
                Batch(
                    testDescription: "\(way.name), \(status)", samples: samples, links: way.links,
                    types: way.types, status: status)
            }
        }
    }()
}
