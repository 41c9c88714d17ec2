internal import ArgumentParser
internal import Localization
internal import PassPresentation
internal import PassSession
internal import PassStore

/// `passconduit search`: finds passes of the library by words.
struct Search: Verb {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Find the passes in the library that contain all of these words.",
        discussion: """
            Searches all text of each pass, in all of its languages: names, places, seats, small \
            print. Case and accents are ignored. A word also matches a part of a longer one; \
            passes that contain all words whole, or at the beginning of a longer one, come first. \
            The exit code is 1 if nothing is found. The lines are those of `passconduit list`.

            EXAMPLES
              passconduit search lisbon
              passconduit search --json seat 12A
            """)

    @Argument(help: "The words.")
    var words: [String]

    @OptionGroup var place: LibraryArguments
    @OptionGroup var trust: TrustArguments
    @OptionGroup var output: OutputArguments
    @OptionGroup var lines: LineArguments

    @Option(
        help: ArgumentHelp("Print at most this many passes (default: 100).", valueName: "number"),
        transform: positive)
    var limit: Int = 100

    func run(in shell: Shell) async throws -> ExitCode {
        let anchors = try trust.anchors(in: shell.session)
        let library = try place.libraryAlone(in: shell.session)
        let words = words.joined(separator: " ")
        let passes = try library.search(words, limit: limit)
        try printPasses(
            passes, of: library, trusting: anchors, json: output.json, isFull: lines.long,
            in: shell)
        if passes.isEmpty {
            let isEmpty = try library.count() == 0
            shell.hint(
                isEmpty
                    ? emptyLibrary
                    : localized("no pass contains all of these words (fewer words find more)"),
                json: output.json)
        } else if passes.count == limit {
            let count = try library.searchCount(words)
            if count > limit {
                // A program that reads the lines shows this to a person or writes it to a log.
                if !output.json {
                    shell.console.note(
                        localized(
                            "{number} of {count} shown (--limit shows more)",
                            ["number": grouped(limit), "count": grouped(count)]))
                }
            }
        }
        return passes.isEmpty ? .nothingFound : .done
    }
}
