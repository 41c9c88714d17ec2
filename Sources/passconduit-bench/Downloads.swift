import Foundation

/// The download folder.
struct Downloads {
    private let corpus: Corpus
    let folder: URL

    init(in corpus: Corpus) {
        self.corpus = corpus
        folder = corpus.folder.appendingPathComponent("downloads")
    }

    /// Deletes the downloads and syncs the disk, so that all runs start in the same state.
    func clear() throws {
        let files = FileManager.default
        if files.fileExists(atPath: folder.path) { try files.removeItem(at: folder) }
        try files.createDirectory(at: folder, withIntermediateDirectories: true)
        sync()
    }

    /// - Parameters:
    ///   - count: The number of copies fetched.
    ///   - wholly: Whether to compare contents, or only sizes.
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
