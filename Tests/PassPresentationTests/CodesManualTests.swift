import Fetching
import Foundation
import MIME
import MailContainers
import MailSource
import PassDownloads
import PassImport
import PassVerification
import Testing

@testable import PassPresentation

@Suite("passconduit-records(5) lists every code of problems, reasons and notes")
struct CodesManualTests {
    /// The codes on the page below each heading.
    private let listed: [String: Set<String>]

    init() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../desktop/man/passconduit-records.5")
        var listed: [String: Set<String>] = [:]
        var heading = ""
        for line in try String(contentsOf: page, encoding: .utf8).split(separator: "\n") {
            if line.hasPrefix(".S") { heading = String(line.dropFirst(4)) }
            guard let match = line.wholeMatch(of: /\.It Ql ([-A-Za-z0-9]+)/) else { continue }
            #expect(listed[heading, default: []].insert(String(match.1)).inserted, "\(match.1)")
        }
        self.listed = listed
    }

    @Test("problems, and the codes behind fetch-")
    func problems() {
        let samples = ReadingSamples.self
        var codes = Set(samples.sourceProblems.map(\.code))
        codes.formUnion(samples.mailProblems.map(\.code))
        codes.formUnion(samples.containerProblems.map(\.code))
        codes.formUnion(samples.limits.map(\.code))
        codes.formUnion(samples.ownProblems.map(\.code))
        codes.formUnion(samples.compressionErrors.map { Problem.Kind.compression($0).code })
        codes.formUnion(samples.archiveErrors.map { Problem.Kind.archive($0).code })
        codes.formUnion(samples.dataURLErrors.map { Problem.Kind.dataURL($0).code })
        codes.formUnion(["damaged-cms", "more-unreadable", "fetch-CODE"])
        codes.formUnion(FetchProblem.samples.map(\.code).filter { !$0.hasPrefix("fetch-") })
        codes.formUnion(FetchFailure.Code.allCases.map(\.rawValue))
        codes.formUnion(
            FetchProblem.samples.map(\.code).filter { $0.hasPrefix("fetch-") }
                .map { String($0.dropFirst("fetch-".count)) })
        #expect(listed["Codes of problems"] == codes)
    }

    @Test("reasons and notes")
    func findings() {
        let known = VerificationPhrasesTests.findings.filter { $0.kind != .stored }
        let codes = Set(known.map(\.code)).union(["looks-like"])
        let reasons = listed["Codes of reasons"] ?? []
        let notes = listed["Codes of notes"] ?? []
        #expect(reasons.union(notes) == codes)
        #expect(reasons.isDisjoint(with: notes))
    }
}
