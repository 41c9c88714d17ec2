internal import ArgumentParser
internal import Foundation
internal import PassImport
internal import PassStore

/// `passconduit downloads`: what is on its way into the library.
struct Downloads: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "downloads",
        abstract: "See what is being fetched, pause it, go on with it, or give it up.",
        discussion: """
            What `passconduit import URL` fetches is kept in a queue in the library until its passes \
            are there, or were refused. What was interrupted (the connection broke, the computer went \
            off) waits, and goes on where it was if the server allows.

            A download is waiting, active, paused, finished, failed or cancelled. One that failed for \
            a reason that may pass waits to be tried again, longer each time, and as long as the \
            server asked for.

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
            abstract: "List the downloads that have not ended.",
            discussion: """
                One line for each: its number, its state, how far it is, how long it will take, its \
                URL, and what went wrong.

                EXAMPLES
                  passconduit downloads list
                  passconduit downloads list --all --json | jq -r .contentURL
                """)

        @Flag(help: "List also those that finished, failed or were cancelled.")
        var all = false

        @OptionGroup var place: LibraryArguments
        @OptionGroup var output: OutputArguments

        func run(in shell: Shell) async throws -> ExitCode {
            let library = try place.libraryAlone(in: shell)
            let downloads = try DownloadQueue(of: library)
                .downloads(in: all ? nil : [.waiting, .active, .paused])
            if output.json {
                for download in downloads {
                    try shell.console.print(jsonLine(DownloadRecord(download)))
                }
            } else {
                for line in downloadLines(downloads, .now, on: shell.console.output) {
                    try shell.console.print(line)
                }
            }
            return .done
        }
    }

    struct Pause: Verb {
        static let configuration = CommandConfiguration(
            commandName: "pause",
            abstract: "Stop fetching for now; what came stays.",
            discussion: """
                Also stops what another process is fetching, within seconds.

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
            abstract: "Give downloads up, and remove what came of them.",
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

/// Which downloads are meant.
struct DownloadArguments: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The numbers that `downloads list` shows (default: all that have not ended).",
            valueName: "number"))
    var ids: [Int64] = []

    @OptionGroup var place: LibraryArguments
    @OptionGroup var output: OutputArguments

    /// Changes them, and prints what they are now.
    func change(
        in shell: Shell, _ change: (DownloadQueue, [Int64]) throws -> [Download]
    ) throws -> ExitCode {
        let library = try place.library(for: .changing, in: shell)
        let queue = DownloadQueue(of: library)
        let changed = try change(queue, try chosen(in: queue).map(\.id))
        for download in changed {
            try shell.console.print(
                output.json ? jsonLine(DownloadRecord(download)) : downloadLine(download))
        }
        return .done
    }

    /// Those that are named; without names, all that have not ended.
    func chosen(in queue: DownloadQueue) throws -> [Download] {
        guard !ids.isEmpty else { return try queue.downloads(in: [.waiting, .active, .paused]) }
        return try ids.map { id in
            guard let download = try queue.download(id) else {
                throw Failure.notFound("there is no download \(id)")
            }
            return download
        }
    }
}
