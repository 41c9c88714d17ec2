import Foundation

/// The mail and passes for the benchmark, in a folder that is kept for the next run.
struct Corpus {
    let folder: URL
    /// The parameters of generation.
    let source: Source
    private(set) var pieces: [String: Piece.Contents] = [:]

    struct Source: Codable, Equatable {
        /// Increment when the same parameters generate different mail.
        var form = 2
        let seed: UInt64
        /// One message in `interval` contains a pass.
        let interval: Int
        /// The folder of the sample passes.
        let samples: String
    }

    /// Loads the corpus; empty if it was made with other parameters.
    init(in folder: URL, from source: Source) throws {
        self.folder = folder
        self.source = source
        if let data = try? Data(contentsOf: record),
            let kept = try? JSONDecoder().decode(Record.self, from: data), kept.source == source
        {
            pieces = kept.pieces
        }
    }

    func path(_ piece: Piece) -> String { folder.appendingPathComponent(piece.name).path }

    func contents(_ piece: Piece) -> Piece.Contents { pieces[piece.name] ?? Piece.Contents() }

    /// The root certificate of its passes.
    func root(_ piece: Piece) -> String {
        switch piece {
        case .passes, .library: path(piece) + ".pem"
        case .template: Template(in: path(piece)).root
        default: "\(source.samples)/authority/root.pem"
        }
    }

    /// Makes missing pieces.
    mutating func make(_ wanted: [Piece], _ programs: Programs) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for piece in wanted where !isThere(piece) {
            try? FileManager.default.removeItem(atPath: path(piece))
            let made: Piece.Contents
            switch piece {
            case .passes(let count):
                made = try programs.makePasses(count, in: path(piece), root: root(piece))
            case .library(let count):
                made = try programs.makeLibrary(count, in: path(piece), root: root(piece))
            case .template(let count):
                made = try Template(in: path(piece)).make(count, seed: source.seed, in: folder)
            default: made = try makeMail(piece)
            }
            pieces[piece.name] = made
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            try encoder.encode(Record(source: source, pieces: pieces)).write(to: record)
        }
    }

    private func isThere(_ piece: Piece) -> Bool {
        pieces[piece.name] != nil && FileManager.default.fileExists(atPath: path(piece))
    }

    private func makeMail(_ piece: Piece) throws -> Piece.Contents {
        var maker = try MailMaker(
            seed: source.seed, passes: samplePasses(), interval: source.interval)
        let place = URL(filePath: path(piece))
        var bytes = 0
        switch piece {
        case .mbox(let megabytes): bytes = try maker.writeMbox(megabytes * 1_000_000, to: place)
        case .maildir(let count): bytes = try maker.writeMaildir(count, to: place)
        case .message(let megabytes):
            bytes = try maker.writeLongMessage(megabytes * 1_000_000, to: place)
        case .export(let count): bytes = try maker.writeExport(count, to: place)
        case .letter: bytes = try maker.writeLetter(hasPass: false, to: place)
        case .letterWithPass: bytes = try maker.writeLetter(hasPass: true, to: place)
        case .pass: bytes = try maker.writePass(to: place)
        case .body(let megabytes): bytes = try writeBody(megabytes * 1_000_000, to: place)
        case .passes, .library, .template: break
        }
        return Piece.Contents(bytes: bytes, messages: maker.messages, passes: maker.passes)
    }

    private func writeBody(_ bytes: Int, to place: URL) throws -> Int {
        try Data().write(to: place)
        let file = try FileHandle(forWritingTo: place)
        defer { try? file.close() }
        var random = Random(state: source.seed)
        for start in stride(from: 0, to: bytes, by: 1 << 20) {
            try file.write(contentsOf: random.bytes(1 << 17).prefix(bytes - start))
        }
        return bytes
    }

    private func samplePasses() throws -> [[UInt8]] {
        let folder = URL(filePath: source.samples).appendingPathComponent("passes/trusted")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            .filter { $0.hasSuffix(".pkpass") }
            .map { Array(try Data(contentsOf: folder.appendingPathComponent($0))) }
    }

    private struct Record: Codable {
        let source: Source
        let pieces: [String: Piece.Contents]
    }

    private var record: URL { folder.appendingPathComponent("contents.json") }
}
