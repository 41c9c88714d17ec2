import Foundation

/// A program to run, on what, and what has to come of it.
struct Work {
    var name: String
    var words: [String]
    let piece: Piece
    /// Whether the piece lies on its standard input.
    var reads = false
    /// What is asked of it while it runs.
    var dialogue: Dialogue?
    /// Whether the piece comes from the site.
    var fetches = false
    /// Whether it needs a display.
    var shows = false
    var check = Check.nothing
    var library = Library.none
    /// The most memory that it may take, in bytes.
    var memory: Int?
    var statuses: Set<Int32> = [0]

    /// What has to be there before it is run.
    var pieces: [Piece] {
        if case .copied(let library) = library { [piece, library] } else { [piece] }
    }

    /// What has to come of it.
    enum Check {
        case nothing
        /// The summary counts every pass of the piece, and nothing that is no trusted pass.
        case summary
        /// The first run does; what the others find is all known.
        case firstSummary
        /// The library then lists so many passes.
        case listed(Int)
        /// The piece is in the folder of downloads, this often.
        case downloaded(Int)
    }

    /// The library that it uses.
    enum Library {
        case none
        /// A new one in every run.
        case fresh
        /// That of the runs before.
        case kept
        /// A copy in every run.
        case copied(Piece)
    }
}

/// Runs works.
struct Runner {
    let corpus: Corpus
    let programs: Programs
    /// The library that works use.
    let library: String

    /// The first run of a work is not counted: it brings the files into the page cache.
    func run(_ work: Work, isFirst: Bool) throws -> Child {
        try prepare(work.library, isFirst)
        if case .downloaded = work.check { try Downloads(in: corpus).clear() }
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
        case .fresh: try setAside()
        case .kept: if isFirst { try setAside() }
        case .copied(let piece):
            try setAside()
            try files.copyItem(atPath: corpus.path(piece), toPath: self.library)
        }
        // So that no run waits for what another one wrote.
        sync()
    }

    /// Where libraries are that were used, until all is measured: for a minute ext4 looks for the numbers
    /// of files that were just removed before it makes a new one, which took half of an import.
    var used: String { "\(library)-used" }

    private func setAside() throws {
        let files = FileManager.default
        guard files.fileExists(atPath: library) else { return }
        try files.createDirectory(atPath: used, withIntermediateDirectories: true)
        try files.moveItem(atPath: library, toPath: "\(used)/\(UUID().uuidString)")
    }

    private func check(_ work: Work, _ isFirst: Bool) throws {
        switch work.check {
        case .nothing: return
        case .firstSummary: if isFirst { try checkSummary(work) }
        case .summary: try checkSummary(work)
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
