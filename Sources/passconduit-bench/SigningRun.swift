import ArgumentParser
import Foundation
import PassSigning
import PassVerification
import Platform

/// Signs a pass for each row of a piece, in batches as `passconduit sign` does, and prints their
/// number.
struct SigningRun: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign", abstract: "Sign the passes of a template.", shouldDisplay: false)

    enum Mode: String, ExpressibleByArgument {
        /// Neither checked nor verified nor written.
        case raw
        /// Checked and verified.
        case verified
        /// The same, and written and synced.
        case written
    }

    @Option var mode = Mode.raw
    @Option var workers = 1
    @Argument(help: "The folder of the piece.") var piece: String
    @Argument(help: "The file for the last pass.") var sample: String
    @Argument(help: "The folder for passes that are written.") var output: String

    private static let batch = 100

    func run() throws {
        let files = Template(in: piece)
        let identity = try SigningIdentity(
            certificate: bytes(files.certificates), key: bytes(files.key))
        let verifier = PassVerifier(anchors: try TrustAnchors(certificates: [bytes(files.root)]))
        let template = try PassTemplate(PassFolder(contentsOf: URL(filePath: files.folder)))
        let bulk = try BulkSigner(
            PassSigner(identity, verifiedBy: verifier), template, workers: workers)
        let writer = try PassBatchWriter(folder: output, isOverwriting: false)
        defer { writer.close() }
        var reader = try RowFile(contentsOf: URL(filePath: files.data)).reader()
        var (count, last) = (0, [UInt8]())
        while true {
            let rows = try nextRows(&reader)
            guard !rows.isEmpty else { break }
            count += rows.count
            // Passes are dropped at once, as in `sign`, which writes them.
            let end = rows.count - 1
            switch mode {
            case .raw:
                let passes = bulk.unverifiedPasses(for: rows, at: .now) { index, pass in
                    pass.map { index == end ? $0 : [] }
                }
                for pass in passes { last = try pass.get() }
            case .verified:
                let passes = bulk.passes(for: rows, at: .now) { index, pass in
                    pass.map { index == end ? $0.pass.bytes : [] }
                }
                for pass in passes { last = try pass.get() }
            case .written:
                let named = try rows.map { row in
                    (row: row, name: "\(try template.serialNumber(for: row)).pkpass")
                }
                for written in writer.write(named, signedBy: bulk) { _ = try written.get() }
                if let name = named.last?.name { last = try bytes("\(output)/\(name)") }
            }
        }
        try Data(last).write(to: URL(filePath: sample))
        print(count)
    }

    private func nextRows(_ reader: inout RowReader) throws -> [TemplateRow] {
        var rows: [TemplateRow] = []
        while rows.count < Self.batch, let entry = try reader.next() {
            guard case .row(let row) = entry else {
                throw BenchError.failed("\(piece) has a bad row")
            }
            rows.append(row)
        }
        return rows
    }

    private func bytes(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: path)))
    }
}
