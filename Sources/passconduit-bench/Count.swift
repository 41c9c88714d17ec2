import Foundation

/// Valgrind's counts per message or other unit: the difference between a small and a large piece,
/// so that the start of the program cancels out.
struct Count {
    private let what: What
    private let small: Work?
    private let large: Work
    private let unit: Unit

    enum What: String { case instructions, allocations }

    enum Unit: String { case megabyte, message, pass }

    init(_ what: What, _ small: Work?, _ large: Work, per unit: Unit) {
        self.what = what
        self.small = small
        self.large = large
        self.unit = unit
    }

    var pieces: [Piece] { large.pieces + (small?.pieces ?? []) }

    var name: String { "\(what.rawValue) per \(unit.rawValue), \(large.name)" }

    struct Measurement: Encodable {
        let name: String
        private(set) var value: Double?
        private(set) var problem: String?
    }

    func measure(with runner: Runner) -> Measurement {
        do {
            let (few, many) = (
                try small.map { work in try count(work, runner) } ?? 0, try count(large, runner)
            )
            let between =
                units(large, runner.corpus) - (small.map { units($0, runner.corpus) } ?? 0)
            return Measurement(name: name, value: Double(many - few) / between)
        } catch {
            return Measurement(name: name, problem: "\(error)")
        }
    }

    private func units(_ work: Work, _ corpus: Corpus) -> Double {
        let contents = corpus.contents(work.piece)
        return switch unit {
        case .megabyte: Double(contents.bytes) / 1e6
        case .message: Double(contents.messages)
        case .pass: Double(contents.passes)
        }
    }

    private func count(_ work: Work, _ runner: Runner) throws -> Int {
        let program = work.words.first ?? ""
        guard FileManager.default.isExecutableFile(atPath: program) else {
            throw BenchError.missing(program)
        }
        let log = runner.corpus.folder.appendingPathComponent("valgrind").path
        let tool =
            switch what {
            case .instructions:
                ["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
            case .allocations: ["--tool=memcheck", "--leak-check=no", "--undef-value-errors=no"]
            }
        var counted = work
        counted.words = ["valgrind", "--log-file=\(log)"] + tool + work.words
        _ = try runner.run(counted, isFirst: true)
        let said = try String(contentsOfFile: log, encoding: .utf8)
        let found =
            switch what {
            case .instructions: said.firstMatch(of: /I +refs: +([\d,]+)/)?.1
            case .allocations: said.firstMatch(of: /total heap usage: ([\d,]+) allocs/)?.1
            }
        guard let count = Int((found ?? "").filter { $0 != "," }) else {
            throw BenchError.failed("valgrind counted nothing")
        }
        return count
    }
}
