import Foundation

/// The programs that can be measured, with their arguments.
struct Works {
    let corpus: Corpus
    let programs: Programs
    let site: Site
    let pushServer: PushServer
    let library: String

    private var passconduit: String { programs.built("passconduit") }

    // MARK: passconduit

    func scan(_ piece: Piece, jobs: Int) -> Work {
        Work(
            name: "scan \(piece.label), \(jobs.workers)",
            words: [passconduit, "scan", "--json", "--jobs", "\(jobs)"] + trust(piece)
                + [corpus.path(piece)],
            piece: piece, check: .summary, memory: memory(jobs), statuses: [0, 1])
    }

    /// - Parameter again: Whether to count only the runs that find everything unchanged.
    func importing(_ piece: Piece, jobs: Int, again: Bool = false) -> Work {
        Work(
            name: "\(again ? "second import" : "import") \(piece.label), \(jobs.workers)",
            words: [passconduit, "import", "--json", "--jobs", "\(jobs)", "--library", library]
                + trust(piece) + [corpus.path(piece)],
            piece: piece, check: again ? .firstSummary : .summary,
            library: again ? .kept : .fresh, memory: memory(jobs))
    }

    /// A message without a pass does not change the library.
    func deliver(_ piece: Piece) -> Work {
        let (known, hasPass) = (Piece.library(passes: 1), piece == .letterWithPass)
        return Work(
            name: "deliver \(piece.label)",
            words: [
                programs.built("passconduit-deliver"), "--library",
                hasPass ? library : corpus.path(known),
            ] + trust(piece),
            piece: piece, reads: true, check: hasPass ? .listed(2) : .nothing,
            library: hasPass ? .copied(known) : .none)
    }

    func verify(_ piece: Piece) -> Work {
        Work(
            name: "verify \(piece.label)",
            words: [passconduit, "verify"] + trust(piece) + [corpus.path(piece)], piece: piece)
    }

    func list(_ piece: Piece) -> Work { command(["list", "--limit", "50"], piece) }

    func search(_ piece: Piece) -> Work { command(["search", "lisbon"], piece) }

    func show(_ piece: Piece) -> Work { command(["show", "42"], piece) }

    private func command(_ words: [String], _ piece: Piece) -> Work {
        Work(
            name: "\(words[0]) in \(piece.label)",
            words: [passconduit] + words + ["--library", corpus.path(piece)], piece: piece)
    }

    private func trust(_ piece: Piece) -> [String] { ["--trust-root", corpus.root(piece)] }

    /// The memory limit, with an allowance per worker.
    private func memory(_ jobs: Int) -> Int { (24 + 12 * (jobs - 1)) * 1_000_000 }

    // MARK: References

    func reading(_ name: String, _ piece: Piece) -> Work {
        let isFolder = name == "folder"
        return Work(
            name: "C: \(name == "lines" ? "read, find lines" : isFolder ? "read files" : "read")",
            words: [programs.reference(name)]
                + (piece == .letter ? [] : [corpus.path(piece) + (isFolder ? "/cur" : "")]),
            piece: piece, reads: piece == .letter)
    }

    func ripgrep(_ piece: Piece, _ options: String...) -> Work {
        Work(
            name: "rg \(options.first ?? "")", words: ["rg"] + options + [corpus.path(piece)],
            piece: piece, statuses: [0, 1])
    }

    /// Uses Debian's Python, which has the GMime bindings.
    func gmime(_ piece: Piece) -> Work {
        Work(
            name: "GMime",
            words: ["/usr/bin/python3", programs.reference("gmime.py"), corpus.path(piece)],
            piece: piece)
    }

    func munpack(_ piece: Piece) -> Work {
        let folder = corpus.folder.appendingPathComponent("unpacked").path
        return Work(
            name: "munpack", words: ["munpack", "-q", "-f", "-C", folder], piece: piece, reads: true
        )
    }

    func ripmime(_ piece: Piece) -> Work {
        let folder = corpus.folder.appendingPathComponent("unpacked").path
        return Work(
            name: "ripmime", words: ["ripmime", "-i", "-", "-d", folder, "--overwrite"],
            piece: piece,
            reads: true)
    }

    func bareVerification(_ piece: Piece) -> Work {
        Work(
            name: "C: inflate, SHA-1, RSA",
            words: [programs.reference("verification"), corpus.root(piece), corpus.path(piece)],
            piece: piece)
    }

    func find(_ piece: Piece) -> Work {
        Work(name: "find", words: ["find", corpus.path(piece)], piece: piece)
    }
}

extension Piece {
    /// The name in the table.
    var label: String {
        switch self {
        case .mbox(let megabytes): "mbox \(megabytes) MB"
        case .maildir(let messages): "Maildir \(messages)"
        case .message(let megabytes): "message \(megabytes) MB"
        case .export(let messages): "export of \(messages)"
        case .letter: "60 KB"
        case .letterWithPass: "60 KB with pass"
        case .pass: "pass"
        case .passes(let count): "\(count) passes"
        case .body(let megabytes): "\(megabytes) MB"
        case .library(let count): "library of \(count)"
        case .template(let count): "\(count) passes"
        }
    }
}

extension Int {
    /// The number of workers in the table.
    var workers: String { self == 1 ? "1 worker" : "\(self) workers" }
}
