import Foundation

/// A program to run, its input, and the expected result.
struct Work {
    var name: String
    var words: [String]
    let piece: Piece
    /// Whether the piece is on standard input.
    var reads = false
    /// The requests to send while it runs.
    var dialogue: Dialogue?
    /// Whether the piece is fetched from the test server.
    var fetches = false
    /// Whether it needs `PushServer`.
    var pushes = false
    /// Whether it needs a display.
    var shows = false
    var check = Check.nothing
    var library = Library.none
    /// The memory limit, in bytes.
    var memory: Int?
    var statuses: Set<Int32> = [0]

    /// The pieces it needs.
    var pieces: [Piece] {
        if case .copied(let library) = library { [piece, library] } else { [piece] }
    }

    /// The expected result.
    enum Check {
        case nothing
        /// The summary counts all passes of the piece, and all are trusted.
        case summary
        /// The same for the first run; later runs find nothing new.
        case firstSummary
        /// The library lists this many passes.
        case listed(Int)
        /// The download folder contains this many copies of the piece.
        case downloaded(Int)
        /// The last line of the output is this text.
        case printed(String)
        /// All passes of the piece are signed, as the output says; a sample is valid.
        case signed
    }

    /// The library it uses.
    enum Library {
        case none
        /// A new library for each run.
        case fresh
        /// The library of the previous runs.
        case kept
        /// A new copy for each run.
        case copied(Piece)
    }
}

/// Runs works.
struct Runner {
    let corpus: Corpus
    let programs: Programs
    /// The path of the library for works.
    let library: String

    /// Runs a work. The first run is not counted: it fills the page cache.
    func run(_ work: Work, isFirst: Bool) throws -> Child {
        try prepare(work.library, isFirst)
        if case .downloaded = work.check { try Downloads(in: corpus).clear() }
        if case .signed = work.check { try clearSigned() }
        let child = try Child(
            work.words, in: corpus.folder,
            input: work.reads ? corpus.path(work.piece) : "/dev/null", dialogue: work.dialogue,
            statuses: work.statuses)
        try check(work, isFirst)
        return child
    }

    private func prepare(_ library: Work.Library, _ isFirst: Bool) throws {
        let files = FileManager.default
        switch library {
        case .none: return
        case .fresh: try setAside(self.library)
        case .kept: if isFirst { try setAside(self.library) }
        case .copied(let piece):
            try setAside(self.library)
            try files.copyItem(atPath: corpus.path(piece), toPath: self.library)
        }
        // Sync, so that no run waits for the writes of another.
        sync()
    }

    /// The folder for used libraries and signed passes, deleted only at the end. For a minute after files were
    /// removed, ext4 searches their inode numbers before it creates a file; this took half the time
    /// of an import.
    var used: String { "\(library)-used" }

    private func setAside(_ folder: String) throws {
        let files = FileManager.default
        guard files.fileExists(atPath: folder) else { return }
        try files.createDirectory(atPath: used, withIntermediateDirectories: true)
        try files.moveItem(atPath: folder, toPath: "\(used)/\(UUID().uuidString)")
    }

    private func clearSigned() throws {
        let folder = SignedPasses(in: corpus.folder).folder
        try setAside(folder)
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        sync()
    }

    private func checkSigned(_ work: Work, _ isFirst: Bool) throws {
        let expected = corpus.contents(work.piece).passes
        let line = try Output(in: corpus.folder).lastLine
        guard line == Data("\(expected)".utf8) else {
            throw BenchError.failed("\(work.name): not all \(expected) passes are signed")
        }
        guard isFirst else { return }
        try SignedPasses(in: corpus.folder).verifySample(
            against: corpus.root(work.piece), unpackedBy: programs.reference("unpack.py"))
    }

    private func check(_ work: Work, _ isFirst: Bool) throws {
        switch work.check {
        case .nothing: return
        case .firstSummary: if isFirst { try checkSummary(work) }
        case .summary: try checkSummary(work)
        case .printed(let line):
            guard try Output(in: corpus.folder).lastLine == Data(line.utf8) else {
                throw BenchError.failed("\(work.name): the output is not \(line)")
            }
        case .signed: try checkSigned(work, isFirst)
        case .downloaded(let count):
            try Downloads(in: corpus).check(work.piece, count, wholly: isFirst)
        case .listed(let count):
            guard isFirst else { return }
            _ = try Child(
                [programs.built("passconduit"), "list", "--library", library], in: corpus.folder)
            let listed = try Output(in: corpus.folder).lines
            guard listed == count else {
                throw BenchError.failed("\(work.name): \(listed) of \(count) passes are listed")
            }
        }
    }

    private func checkSummary(_ work: Work) throws {
        let expected = corpus.contents(work.piece).passes
        let summary = try JSONDecoder().decode(
            Summary.self, from: Output(in: corpus.folder).lastLine)
        guard summary.trusted == expected, summary.others == 0 else {
            throw BenchError.failed(
                "\(work.name): found \(summary.trusted) passes and \(summary.others) others, not "
                    + "\(expected)")
        }
    }

    private struct Summary: Decodable {
        let trusted, untrusted, unsigned, tampered, malformed: Int
        var others: Int { untrusted + unsigned + tampered + malformed }
    }
}
