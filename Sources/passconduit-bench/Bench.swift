import ArgumentParser
import Foundation

/// Measures passconduit beside programs that do less, in one run, so that the ratios hold on any
/// machine.
struct Bench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "passconduit-bench",
        abstract: "Measure scans and imports against reading alone.")

    @Option(help: "The size of the mailbox.") var megabytes = 1000
    @Option(help: "The messages of the Maildir.") var messages = 20_000
    @Option(help: "The passes to verify and to import.") var passes = 1000
    @Option(help: "How often each is run; the median counts.") var runs = 5
    @Option(help: "What the mail is made from.") var seed: UInt64 = 1
    @Option(help: "Where the mail is kept.") var folder = ".build/bench"
    @Option(help: "Where the passes come from.") var samples = "Samples"
    @Option(help: .hidden) var read: String?

    func run() throws {
        if let read { return try readFiles(in: read) }
        let corpus = try Corpus(
            in: URL(filePath: folder), samples: URL(filePath: samples), seed: seed,
            megabytes: megabytes, messages: messages, passes: passes)
        var rows = Bench.rows(corpus, library: "\(folder)/library")
        // One run that is not counted brings the files into the page cache.
        for run in 0...max(runs, 1) {
            for index in rows.indices {
                try? FileManager.default.removeItem(atPath: "\(folder)/library")
                try rows[index].measure(in: folder, counts: run > 0)
            }
        }
        let report = Report(corpus: corpus.contents, rows: rows.map(\.result))
        print(report.table)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(report).write(to: URL(filePath: "\(folder).json"))
    }

    private static func rows(_ corpus: Corpus, library: String) -> [Row] {
        let own = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        let program = own.deletingLastPathComponent().appendingPathComponent("passconduit").path
        let contents = corpus.contents
        let (mbox, mail) = (corpus.mbox.path, corpus.maildir.path)
        func scan(_ jobs: Int, _ path: String) -> [String] {
            [
                program, "scan", "--json", "--jobs", "\(jobs)", "--trust-root", corpus.root.path,
                path,
            ]
        }
        var rows = [
            Row("cat mbox", ["cat", mbox], contents.mboxBytes),
            Row("scan mbox, 1 job", scan(1, mbox), contents.mboxBytes, contents.mboxPasses),
            Row("scan mbox, 2 jobs", scan(2, mbox), contents.mboxBytes, contents.mboxPasses),
        ]
        if (try? Child(["rg", "--version"])) != nil {
            rows.insert(
                Row("rg -c '^From ' mbox", ["rg", "-c", "^From ", mbox], contents.mboxBytes), at: 1)
        }
        rows += [
            Row("read Maildir", [own.path, "--read", "\(mail)/cur"], contents.maildirBytes),
            Row(
                "scan Maildir, 1 job", scan(1, mail), contents.maildirBytes, contents.maildirPasses),
            Row(
                "scan Maildir, 2 jobs", scan(2, mail), contents.maildirBytes, contents.maildirPasses
            ),
            Row("verify passes, 1 job", scan(1, corpus.passes.path), nil, contents.passes),
            Row(
                "import passes, 1 job",
                [
                    program, "import", "--json", "--jobs", "1", "--library", library,
                    "--trust-root", corpus.root.path, corpus.passes.path,
                ], nil, contents.passes),
        ]
        return rows
    }
}

/// A program to measure, and how many trusted passes it must find.
struct Row {
    private let name: String
    private let words: [String]
    private let bytes: Int?
    private let passes: Int?
    private var times: [Double] = []
    private var processorTimes: [Double] = []
    private var peak = 0

    init(_ name: String, _ words: [String], _ bytes: Int?, _ passes: Int? = nil) {
        self.name = name
        self.words = words
        self.bytes = bytes
        self.passes = passes
    }

    mutating func measure(in folder: String, counts: Bool) throws {
        let output = URL(filePath: passes == nil ? "/dev/null" : "\(folder)/output.json")
        let child = try Child(words, output: output)
        if let passes {
            let lines = try String(contentsOf: output, encoding: .utf8).split(separator: "\n")
            let summary = try JSONDecoder().decode(
                Summary.self, from: Data((lines.last ?? "").utf8))
            guard summary.trusted == passes, summary.candidates == passes else {
                throw BenchError(
                    message: "\(name): \(summary.trusted) of \(passes) passes were found")
            }
        }
        guard counts else { return }
        times.append(child.seconds)
        processorTimes.append(child.processorSeconds)
        peak = max(peak, child.peak)
    }

    var result: Report.Row {
        let median = times.sorted()[times.count / 2]
        return Report.Row(
            name: name, seconds: median,
            processorSeconds: processorTimes.sorted()[processorTimes.count / 2],
            bytesPerSecond: bytes.map { Double($0) / median },
            secondsPerPass: bytes == nil ? passes.map { median / Double($0) } : nil, peak: peak)
    }

    private struct Summary: Decodable {
        let candidates: Int
        let trusted: Int
    }
}

/// What was measured, for people and for programs.
struct Report: Encodable {
    let version = 1
    let corpus: Corpus.Contents
    let rows: [Row]

    struct Row: Encodable {
        let name: String
        let seconds: Double
        let processorSeconds: Double
        let bytesPerSecond: Double?
        let secondsPerPass: Double?
        /// In bytes.
        let peak: Int
    }

    /// Each work beside the reading of the same bytes that stands above it.
    var table: String {
        var lines = [
            "work                    seconds  processor  reference  ratio      rate         peak"
        ]
        var reference: Row?
        for row in rows {
            if row.name.hasPrefix("cat") || row.name.hasPrefix("read") { reference = row }
            if row.bytesPerSecond == nil { reference = nil }
            let rate =
                row.bytesPerSecond.map { String(format: "%6.2f GB/s", $0 / 1e9) }
                ?? row.secondsPerPass.map { String(format: "%5.2f ms each", $0 * 1e3) } ?? ""
            lines.append(
                row.name.padding(toLength: 22, withPad: " ", startingAt: 0)
                    + String(format: "%9.3f  %9.3f", row.seconds, row.processorSeconds)
                    + (reference.map {
                        String(format: "  %9.3f  %5.2f", $0.seconds, row.seconds / $0.seconds)
                    }
                        ?? "                  ")
                    + "  " + rate.padding(toLength: 13, withPad: " ", startingAt: 0)
                    + String(format: "%5.0f MB", Double(row.peak) / 1e6))
        }
        return lines.joined(separator: "\n")
    }
}
