internal import ArgumentParser
internal import Foundation
internal import Localization
internal import PassImport
internal import PassPresentation
internal import PassSession
internal import PassStore

/// `passconduit downloads`: manages downloads into the library.
struct Downloads: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "downloads",
        abstract: "List, pause, resume or cancel downloads.",
        discussion: """
            `passconduit import URL` fetches through a queue in the library. A download stays in \
            the queue until its passes are imported or refused. An interrupted download (a lost \
            connection, a shutdown) waits in the queue and continues where it stopped if the \
            server allows it.

            A download is waiting, active, paused, finished, failed or cancelled. A download that \
            failed for a temporary reason is tried again, after a longer wait each time and not \
            before the time that the server asked for.

            EXAMPLES
              passconduit downloads list
              passconduit downloads pause 3
              passconduit downloads resume
              passconduit downloads cancel 3 4
            """,
        subcommands: [List.self, Pause.self, Resume.self, Cancel.self])

    struct List: Verb {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the downloads that are not finished.",
            discussion: """
                Prints one line per download: number, state, progress, time left, URL, and what \
                went wrong. On a terminal, a long URL is cut, unless --long is given.

                EXAMPLES
                  passconduit downloads list
                  passconduit downloads list --all --json | jq -r .contentURL
                """)

        @Flag(help: "Also list downloads that finished, failed or were cancelled.")
        var all = false

        @OptionGroup var place: LibraryArguments
        @OptionGroup var output: OutputArguments
        @OptionGroup var lines: LineArguments

        func run(in shell: Shell) async throws -> ExitCode {
            guard let library = try place.libraryIfAny(in: shell) else { return .done }
            let downloads = try DownloadQueue(of: library)
                .downloads(in: all ? nil : [.waiting, .active, .paused])
            if downloads.isEmpty {
                shell.hint(
                    all
                        ? localized("there are no downloads (`passconduit import URL` starts one)")
                        : localized("no download is unfinished (--all lists the others)"),
                    json: output.json)
            }
            if output.json {
                for download in downloads {
                    let record = DownloadRecord(download)
                    try shell.console.print(jsonLine(record, on: shell.console.output))
                }
            } else {
                let lines = downloadLines(
                    downloads, .now, isFull: lines.long, on: shell.console.output)
                for line in lines {
                    try shell.console.print(line)
                }
            }
            return .done
        }
    }

    struct Pause: Verb {
        static let configuration = CommandConfiguration(
            commandName: "pause",
            abstract: "Pause downloads, and keep the data received so far.",
            discussion: """
                Downloads of other processes pause within seconds, too.

                EXAMPLES
                  passconduit downloads pause
                  passconduit downloads pause 3 4
                """)

        @OptionGroup var chosen: DownloadArguments

        func run(in shell: Shell) async throws -> ExitCode {
            try chosen.change(in: shell) { queue, ids in try queue.pause(ids) }
        }
    }

    struct Cancel: Verb {
        static let configuration = CommandConfiguration(
            commandName: "cancel",
            abstract: "Cancel downloads, and delete the data received so far.",
            discussion: """
                EXAMPLES
                  passconduit downloads cancel 3 4
                """)

        @OptionGroup var chosen: DownloadArguments

        func validate() throws {
            if chosen.ids.isEmpty { throw ValidationError("say which downloads") }
        }

        func run(in shell: Shell) async throws -> ExitCode {
            try chosen.change(in: shell) { queue, ids in try queue.cancel(ids) }
        }
    }
}

/// The downloads to change.
struct DownloadArguments: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The numbers that `downloads list` prints (default: all unfinished downloads).",
            valueName: "number"))
    var ids: [Int64] = []

    @OptionGroup var place: LibraryArguments
    @OptionGroup var output: OutputArguments

    /// Applies a change and prints the downloads.
    func change(
        in shell: Shell, _ change: (DownloadQueue, [Int64]) throws -> [Download]
    ) throws -> ExitCode {
        let library = try place.library(for: .changing, in: shell.session)
        let queue = DownloadQueue(of: library)
        let changed = try change(queue, try chosen(in: queue).map(\.id))
        for download in changed {
            try shell.console.print(
                output.json
                    ? jsonLine(DownloadRecord(download), on: shell.console.output)
                    : downloadLine(download))
        }
        return .done
    }

    /// The given downloads; by default all unfinished ones.
    func chosen(in queue: DownloadQueue) throws -> [Download] {
        guard !ids.isEmpty else { return try queue.downloads(in: [.waiting, .active, .paused]) }
        return try ids.map { id in
            guard let download = try queue.download(id) else {
                throw Failure.notFound(
                    Phrase("there is no download {number}", ["number": .number(id)]))
            }
            return download
        }
    }
}
