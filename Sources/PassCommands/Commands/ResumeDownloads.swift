internal import ArgumentParser
internal import Foundation
internal import PassImport
internal import PassSession
internal import PassStore

extension Downloads {
    /// `passconduit downloads resume`.
    struct Resume: Verb {
        static let configuration = CommandConfiguration(
            commandName: "resume",
            abstract: "Resume waiting and paused downloads, and import their passes.",
            discussion: """
                Uses the options of the original `passconduit import` (--allow-http, --trust-root, \
                --accept ...) and those given here. Name a failed download to try it again.

                EXAMPLES
                  passconduit downloads resume
                  passconduit downloads resume 3
                  passconduit downloads resume --due
                """)

        @Flag(help: "Resume only waiting downloads whose next attempt is due (for timers).")
        var due = false

        @OptionGroup var chosen: DownloadArguments
        @OptionGroup var trust: TrustArguments
        @OptionGroup var acceptance: AcceptanceArguments
        @OptionGroup var types: TypeArguments
        @OptionGroup var fetching: FetchArguments
        @OptionGroup var lines: LineArguments

        func validate() throws {
            if due, !chosen.ids.isEmpty {
                throw ValidationError("--due and numbers exclude each other")
            }
        }

        func run(in shell: Shell) async throws -> ExitCode {
            let authorities = try trust.authorities(in: shell.session)
            var options = try ImportOptions(
                shell.session.verifier(believing: authorities), in: shell.session)
            options.types = try types.map(in: shell)
            options.policy = acceptance.policy
            let folder = try chosen.place.folder(in: shell.session)
            var session = try FetchSession(
                fetching, in: PassLibrary.downloadsFolder(at: folder), shell)
            session.judge(with: options, believing: authorities)
            try shell.session.confine(spooling: options.spool, library: folder)
            let library = try chosen.place.library(for: .changing, in: shell.session)
            options.library = library
            let run = PipelineRun(
                options, chosen.output.json ? .json : .lines,
                printsFullLines: lines.long, in: shell)
            let fetched = try session.begin(library)
            let downloads = try downloads(in: fetched.queue)
            try await fetched.goOn(with: downloads, run.readingFetched())
            // A timer runs this, and usually there is nothing to report.
            if due, downloads.isEmpty, !chosen.output.json { return .done }
            try run.finish()
            return run.hadProblems ? .unreadable : .done
        }

        private func downloads(in queue: DownloadQueue) throws -> [Int64] {
            if due {
                let now = Date.now
                // If `updatedAt` is in the future, the clock was ahead when the retry was
                // scheduled.
                return try queue.downloads(in: [.waiting])
                    .filter { $0.nextAttempt ?? now <= now || $0.updatedAt > now }.map(\.id)
            }
            return try queue.resume(chosen.chosen(in: queue).map(\.id)).map(\.id)
        }
    }
}
