import Foundation

/// The folder that is fetched into.
struct Downloads {
    private let corpus: Corpus
    let folder: URL

    init(in corpus: Corpus) {
        self.corpus = corpus
        folder = corpus.folder.appendingPathComponent("downloads")
    }

    /// What was fetched goes, and what is to be written to the disk is written, so that each run begins
    /// alike.
    func clear() throws {
        let files = FileManager.default
        if files.fileExists(atPath: folder.path) { try files.removeItem(at: folder) }
        try files.createDirectory(at: folder, withIntermediateDirectories: true)
        sync()
    }

    /// - Parameters:
    ///   - count: How often the piece was fetched.
    ///   - wholly: Whether every byte is compared, or sizes alone.
    func check(_ piece: Piece, _ count: Int, wholly: Bool) throws {
        let source = corpus.folder.appendingPathComponent(piece.name)
        let pairs: [(URL, URL)] =
            if case .passes(let passes) = piece {
                (0..<passes).map { number in
                    let name = Piece.pass(number)
                    return (
                        source.appendingPathComponent(name), folder.appendingPathComponent(name)
                    )
                }
            } else {
                (0..<count).map { (source, folder.appendingPathComponent("\($0)")) }
            }
        for (sent, fetched) in pairs {
            guard size(sent) == size(fetched) else {
                throw BenchError.failed("\(sent.lastPathComponent) did not come in full")
            }
            if wholly { _ = try Child(["cmp", sent.path, fetched.path], in: corpus.folder) }
        }
    }

    private func size(_ file: URL) -> Int? {
        (try? FileManager.default.attributesOfItem(atPath: file.path))?[.size] as? Int
    }
}
