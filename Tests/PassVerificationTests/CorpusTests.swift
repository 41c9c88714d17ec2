import Archives
import Bytes
import Foundation
import PassFixtures
import PassVerification
import Testing

/// `EXPECTED.tsv` was produced by other tools: Python and the openssl program.
@Suite(
    "Real passes get their expected verdicts",
    .enabled(if: Corpus.exists, "no genuine passes beside this checkout"))
struct CorpusTests {
    @Test("file by file", arguments: Corpus.rows)
    func verdict(row: Corpus.Row) throws {
        let verification = PassVerifier().verify(try row.octets())
        #expect(verification.verdict.rawValue == row.verdict)
        if let sha256 = row.sha256 { #expect(verification.sha256 == sha256) }
        #expect(verification.reasons.isEmpty == (row.verdict == "trusted"))
    }

    @Test("openssl gives the same result for every signature", arguments: Corpus.rows)
    func openssl(row: Corpus.Row) throws {
        guard let archive = try? ZipArchive(try row.octets()),
            let signature = archive.entry(named: "signature"),
            let manifest = archive.entry(named: "manifest.json")
        else { return }
        let agrees = try TestAuthority.opensslVerifies(
            try archive.octets(of: signature).array(),
            over: try archive.octets(of: manifest).array())
        let codes = PassVerifier().verify(try row.octets()).reasons.map(\.code)
        #expect(agrees == !codes.contains { $0.hasPrefix("signature-") })
    }
}

enum Corpus {
    struct Row: Sendable, CustomTestStringConvertible {
        let file: String
        let verdict: String
        let sha256: String?
        var testDescription: String { file }

        /// The contents of the file, or of the member of a bundle that is named after the `!`.
        func octets() throws -> SpooledBytes {
            let names = file.split(separator: "!").map(String.init)
            let outer = SpooledBytes(
                Array(try Data(contentsOf: Corpus.folder.appending(path: names[0]))))
            guard names.count > 1 else { return outer }
            let bundle = try ZipArchive(outer)
            let entry = bundle.entry(named: names[1])
            return try bundle.octets(of: try #require(entry))
        }
    }

    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../shared/corpus/passes").standardizedFileURL
    static var exists: Bool { !rows.isEmpty }

    /// Empty if there is no corpus beside this package.
    static let rows: [Row] = {
        let table = folder.appending(path: "EXPECTED.tsv")
        guard let text = try? String(contentsOf: table, encoding: .utf8) else { return [] }
        return text.split(separator: "\n").dropFirst().compactMap { line in
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(
                String.init)
            guard cells.count > 4, cells[1] != "bundle" else { return nil }
            return Row(file: cells[0], verdict: cells[1], sha256: cells[4].isEmpty ? nil : cells[4])
        }
    }()
}
