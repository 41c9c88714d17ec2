import ArgumentParser
import Foundation

/// Measures passconduit against minimal reference programs in the same run, so that the ratios hold
/// on any machine.
struct Bench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "passconduit-bench",
        abstract: "Measure scans, imports and more against what they cannot do without.",
        discussion: """
            Each work is run in turn with its reference; the table has the medians, and whether the \
            ratio is as good as we want it. That a ratio is missed is no failure; that passes are \
            not found is one. What is measured is made first and kept.
            """,
        subcommands: [SigningRun.self, ServingRun.self])

    @Option(help: "The size of the mailbox.") var megabytes = 1000
    @Option(help: "The messages of the Maildir.") var messages = 20_000
    @Option(help: "The messages of the export of mail.") var exported = 1_000_000
    @Option(help: "The passes to verify and to import.") var passes = 20_000
    @Option(help: "The passes of the library to look things up in.") var libraryPasses = 100_000
    @Option(help: "The size of the long message.") var messageMegabytes = 300
    @Option(help: "The size of the large file to fetch.") var bodyMegabytes = 1000
    @Option(help: "The passes to fetch.") var fetches = 2000
    @Option(help: "The passes to sign.") var signatures = 5000
    @Option(help: "The pushes to devices.") var pushes = 50_000
    @Flag(help: "Also scan a mailbox of 8 GB.") var large = false
    @Option(help: "One message in so many has a pass.") var interval = 500
    @Option(help: "How often each is run at least; the median counts.") var runs = 5
    @Option(help: "Only the rows that have this word; repeatable.") var only: [String] = []
    @Option(help: "What the mail is made from.") var seed: UInt64 = 1
    @Option(help: "Where all this is kept.") var folder = ".build/bench"
    @Option(help: "Where the passes in mails come from.") var samples = "Samples"
    @Flag(help: "Make what is to be measured, and measure nothing.") var make = false

    func validate() throws {
        let sizes = [
            megabytes, messages, exported, passes, libraryPasses, messageMegabytes, bodyMegabytes,
            fetches, signatures, pushes, interval, runs,
        ]
        if sizes.contains(where: { $0 < 1 }) { throw ValidationError("a size is at least 1") }
    }

    func run() throws {
        let folder = URL(filePath: folder)
        let programs = Programs(folder: folder)
        let library = folder.appendingPathComponent("library").path
        let site = try Site(in: folder)
        let pushServer = try PushServer(in: folder, programs)
        let works = Works(
            corpus: try corpus(), programs: programs, site: site, pushServer: pushServer,
            library: library)
        let rows = works.rows(sizes).filter { isWanted($0.work.name, $0.reference?.name) }
        let counts = works.counts.filter { isWanted($0.name) }
        if make {
            var corpus = works.corpus
            return try corpus.make(rows.flatMap(\.pieces) + counts.flatMap(\.pieces), programs)
        }
        try programs.compile()
        // In a child process: the programs started later would inherit this program's peak memory.
        let own = programs.built("passconduit-bench")
        _ = try Child([own, "--make"] + CommandLine.arguments.dropFirst(), in: folder)
        let runner = Runner(corpus: try corpus(), programs: programs, library: library)
        defer { try? FileManager.default.removeItem(atPath: runner.used) }

        let server = rows.contains(where: \.work.fetches) ? Result { try site.open() } : nil
        let apns =
            rows.contains(where: \.work.pushes) ? Result { try pushServer.open() } : nil
        let screen =
            rows.contains(where: \.work.shows)
            ? Result { try Screen(in: folder).open() } : nil
        defer {
            for case .success(let server) in [server, apns, screen].compactMap(\.self) {
                server.terminate()
            }
        }

        show(Measurement.heading)
        let outcomes = rows.map { row in
            let outcome =
                if row.work.fetches, case .failure(let error) = server {
                    Measurement(row, problem: error, runner.corpus)
                } else if row.work.pushes, case .failure(let error) = apns {
                    Measurement(row, problem: error, runner.corpus)
                } else if row.work.shows, case .failure(let error) = screen {
                    Measurement(row, problem: error, runner.corpus)
                } else {
                    row.measure(runs, with: runner)
                }
            show(outcome.line)
            return outcome
        }
        var usage = rusage()
        unsafe getrusage(CInt(RUSAGE_SELF.rawValue), &usage)
        print(
            "a peak is never told below \(usage.ru_maxrss / 1000) MB: that is this program's own\n")
        let counted = counts.map { count in
            let outcome = count.measure(with: runner)
            show(outcome.line)
            return outcome
        }
        try Report(corpus: runner.corpus.pieces, rows: outcomes, counts: counted)
            .write(to: URL(filePath: "\(self.folder).json"))
        if outcomes.contains(where: \.hasFailed) { throw ExitCode.failure }
    }

    /// Prints a line at once, even if output is not a terminal.
    private func show(_ line: String) {
        print(line)
        fflush(nil)
    }

    private func corpus() throws -> Corpus {
        try Corpus(
            in: URL(filePath: folder),
            from: Corpus.Source(seed: seed, interval: interval, samples: samples))
    }

    private var sizes: Sizes {
        Sizes(
            megabytes: megabytes, messages: messages, exported: exported, passes: passes,
            libraryPasses: libraryPasses, messageMegabytes: messageMegabytes,
            bodyMegabytes: bodyMegabytes, fetches: fetches, signatures: signatures,
            pushes: pushes, large: large)
    }

    private func isWanted(_ names: String?...) -> Bool {
        only.isEmpty
            || names.compactMap(\.self).contains { name in
                only.contains { name.localizedCaseInsensitiveContains($0) }
            }
    }
}
