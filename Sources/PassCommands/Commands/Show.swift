internal import ArgumentParser
internal import Bytes
internal import Glibc
internal import Localization
internal import MailSource
internal import PassDetection
internal import PassImport
internal import PassPresentation
internal import PassSession
internal import PassStore
internal import PassVerification

/// `passconduit show`: prints a pass in full.
struct Show: Verb {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show all that a pass of the library, or in a file, says.",
        discussion: """
            Prints the fields of the pass, front and back, the message of its barcode, when and \
            where it is valid, who signed it, and where it came from.

            On a terminal the front is drawn as a card in the colours of the pass, with a barcode \
            that scanners and phones can read. Without colours (NO_COLOR) the barcode is drawn for \
            a dark terminal, unless COLORFGBG says that the background is light. A file or a pipe \
            gets plain lines, and with --card the card without colours.

            \(nameOfAPass) A file, or the folder of an unpacked pass, may be named as well.

            EXAMPLES
              passconduit show 1
              passconduit show ticket.pkpass
              passconduit show 1 --card
              passconduit show pass.com.example.boarding/0001 --language de
              passconduit show 1 --history
              passconduit show 1 --json | jq .contents.fields
            """)

    @Argument(help: ArgumentHelp("The pass.", valueName: "id"), completion: .passNumbers)
    var id: String

    @Flag(help: "Also list the stored versions of the pass, and what each changed.")
    var history = false

    @Flag(help: "Print all places that the pass came from, not only the first and the last.")
    var long = false

    @Flag(help: "Print the card alone, even to a file or a pipe.")
    var card = false

    @OptionGroup var place: LibraryArguments
    @OptionGroup var trust: TrustArguments
    @OptionGroup var language: LanguageArguments
    @OptionGroup var output: OutputArguments

    var wantedLanguage: String? { language.language }

    func validate() throws {
        if card, history || output.json {
            throw ValidationError("--card goes neither with --history nor with --json")
        }
    }

    func run(in shell: Shell) async throws -> ExitCode {
        if isFile(in: shell) { return try await showFile(in: shell) }
        let verifier = try trust.verifier(in: shell.session)
        let library = try place.libraryAlone(in: shell.session)
        let stored = try library.pass(named: id)
        let version = try library.version(named: id)
        // The index has the signing time, but the signer and the full content are only in the file.
        let verification = verifier.verify(Array(try library.octets(of: version)))
        guard let pass = verification.pass else {
            throw Failure.unreadable(id, reason: Phrase("the stored file is not a pass"))
        }
        let displayLocale = DisplayLocale(shell.environment, language: language.language)
        let versions = try library.versions(of: stored.identity)
        let past = History(versions, in: library, displayLocale)
        let console = shell.console
        if output.json {
            let record = LibraryPassRecord(
                stored, version,
                isVouchedFor: version.isVouchedFor(by: verification),
                contents: pass, history: history ? past.records : nil,
                changes: past.changes(in: version))
            try console.print(jsonLine(record, on: console.output))
            return .done
        }

        let terminal = console.output
        let facts = stored.facts(
            of: version, verification, isUpdated: try library.updatesAutomatically(),
            allOrigins: long, displayLocale)
        let shown = PassCard(pass: pass, displayLocale: displayLocale, terminal: terminal)
        var lines = card ? shown.cardAlone : shown.lines
        // Readers take a card without a verdict for that of a trusted pass.
        let isVouchedFor = version.isVouchedFor(by: verification)
        if !card || version.verdict != .trusted || isVouchedFor == false {
            lines += [""] + factLines(facts, on: terminal)
        }
        if history { lines += ["", localized("Versions")] + past.lines(on: terminal) }
        for line in lines { try console.print(line) }
        return .done
    }

    /// Whether the argument names a file or folder that is there. The names of other files may be
    /// those of passes.
    private func isFile(in shell: Shell) -> Bool {
        let name = id.utf8.last == UInt8(ascii: "/") ? String(id.dropLast()) : id
        guard TypeMap.builtIn.isPassName(name) || id.utf8.contains(UInt8(ascii: "/")) else {
            return false
        }
        return shell.session.path(id).isThere
    }

    private func showFile(in shell: Shell) async throws -> ExitCode {
        guard !history else {
            throw ValidationError("--history goes only with a pass of the library")
        }
        var opened = OpenedPasses(try trust.verifier(in: shell.session), in: shell.session)
        let target = try OpenTarget(id, in: shell.session)
        guard let source = target.source else {
            throw Failure.unreadable(
                target.word.shown, reason: Phrase("only files can be shown (`open` fetches URLs)"))
        }
        try shell.session.confine(reading: [source.input], spooling: opened.spool)
        try await opened.read(OpenedPasses.NamedInput(input: source.input, name: target.word.shown))
        for problem in opened.problems { shell.console.problem(problem) }
        let displayLocale = DisplayLocale(shell.environment, language: language.language)
        let opening = Opening(shell: shell, displayLocale: displayLocale, place: place)
        var code = opened.code
        for (index, found) in opened.passes.enumerated() {
            let terminal = shell.console.output
            if output.json {
                try shell.console.print(jsonLine(PassRecord(found), on: terminal))
            } else {
                let isTrusted = found.verification.verdict == .trusted
                var lines = index == 0 ? [] : [""]
                if card, isTrusted, let pass = found.verification.pass {
                    let shown = PassCard(
                        pass: pass, displayLocale: displayLocale, terminal: terminal)
                    lines += shown.cardAlone
                } else {
                    lines += opening.summary(of: found, nil, on: terminal)
                }
                for line in lines { try shell.console.print(line) }
            }
            if found.verification.verified == nil { code = code.joined(with: .notTrusted) }
        }
        return code
    }
}

/// Describes how to name a pass, in the help of all commands that take one.
let nameOfAPass = """
    A pass is named by its number in the list, by pass type and serial number (TYPE/SERIAL), by its \
    URL (passconduit:pass/TYPE/SERIAL, percent-encoded), by the serial number alone, or by the first \
    digits of its SHA-256, where only one pass fits. The number in the list wins over a \
    serial number; `serial:1` names the pass with the serial number 1.
    """
