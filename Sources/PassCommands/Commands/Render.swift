internal import ArgumentParser
internal import Bytes
internal import Foundation
internal import Glibc
internal import Localization
internal import MailSource
internal import PassDetection
internal import PassImport
internal import PassPresentation
internal import PassSession
internal import PassStore
internal import PassVerification

/// `passconduit render`: draws a pass.
struct Render: Verb {
    static let configuration = CommandConfiguration(
        commandName: "render",
        abstract: "Draw a pass as Wallet shows it, into a PNG, an SVG or a PDF.",
        discussion: """
            Draws the front of a pass with its barcode. The pass is in the library or in a file: a \
            pass (.pkpass), a bundle (.pkpasses) or a message. Several passes are drawn below each \
            other, backs beside their fronts; a PDF has one page per pass. No display is needed. \
            The drawing program, passconduit-render, can do nothing else; it is part of the \
            package passconduit-viewer.

            \(nameOfAPass) Anything that is not such a name is taken as a file, and `-` as \
            standard input. A pass in a file that is not trusted is drawn, and its verdict is \
            printed. A malformed or tampered pass is not drawn, and the exit code is 3.

            EXAMPLES
              passconduit render 1 -o pass.png
              passconduit render 1 -o pass.pdf --back --language de
              passconduit render ticket.pkpass -o ticket.png --scale 3
              passconduit render journey.pkpasses -o journey.pdf
              passconduit render 1 -o - --format svg | rsvg-convert > pass.png
            """)

    @Argument(
        help: ArgumentHelp("The pass, or a file with passes.", valueName: "id|file"),
        completion: .passFiles)
    var pass: String

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Write to this file, in the format of its extension; - is standard output.",
            valueName: "file"),
        completion: .file(extensions: PictureKind.allCases.map(\.rawValue)))
    var output: String

    @Option(help: "The format: png, svg or pdf (default: by the extension of the file, or png).")
    var format: PictureKind?

    @Option(
        help: ArgumentHelp(
            "Pixels per point of a PNG: 1, 2 or 3; a card is 375 points wide.", valueName: "number")
    )
    var scale = 2

    @Flag(help: "Also draw the back of each pass.")
    var back = false

    @Flag(help: "Overwrite an existing file.")
    var force = false

    @OptionGroup var place: LibraryArguments
    @OptionGroup var trust: TrustArguments
    @OptionGroup var language: LanguageArguments

    func validate() throws {
        if output == "" { throw ValidationError("--output needs the name of a file") }
        if pass == "" { throw ValidationError("'' names no pass") }
        guard 1...3 ~= scale else { throw ValidationError("--scale is 1, 2 or 3") }
        if format == nil, output != "-", PictureKind(ofFile: output) == nil {
            throw ValidationError(
                "the name of the picture ends with .png, .svg or .pdf, or --format says which")
        }
    }

    var wantedLanguage: String? { language.language }

    func run(in shell: Shell) async throws -> ExitCode {
        guard output != "-" || !shell.console.output.isTerminal else {
            throw Failure.usage(
                Phrase("a picture is not text: name a file, or pipe the output of -o -"))
        }
        let program = try RenderProgram(
            format ?? PictureKind(ofFile: output) ?? .png, scale: scale,
            language: shell.environment.languages(language.language).joined(separator: ":"),
            locale: shell.environment.locale(language.language),
            timeZone: shell.environment.timeZone, hasBack: back)
        let drawn: (passes: [SpooledBytes], code: ExitCode) =
            if let octets = try octetsOfLibrary(in: shell) {
                ([octets], .done)
            } else {
                try await passesOfFile(in: shell)
            }
        if drawn.passes.isEmpty { return drawn.code }
        let drawing = try program.draw(drawn.passes)
        for error in drawing.leftOut {
            shell.console.problem(
                localized(
                    "the barcode was left out: {reason}", ["reason": error.phrase.localized]))
        }
        if output == "-" {
            try shell.console.print(octets: drawing.picture)
        } else {
            try shell.session.write(drawing.picture, to: output, overwriting: force)
        }
        return drawn.code
    }

    /// Nil if the argument names a file.
    private func octetsOfLibrary(in shell: Shell) throws -> SpooledBytes? {
        if pass == "-" || TypeMap.builtIn.isPassName(pass) { return nil }
        do {
            let library = try place.library(for: .reading, in: shell.session)
            let version = try library.version(named: pass)
            let octets = SpooledBytes(Array(try library.octets(of: version)))
            report(version.notes, on: pass, in: shell)
            return octets
        } catch let error as LibraryError {
            switch error {
            case .noSuchPass where isFile(in: shell), .noSuchLibrary where isFile(in: shell):
                return nil
            default: throw error
            }
        }
    }

    /// Reports barcodes that are not drawn as their pass declares.
    private func report(_ notes: [Finding], on name: String, in shell: Shell) {
        for note in notes.aboutDrawnBarcodes {
            shell.console.problem("\(name): \(note.phrase.localized)".escaped)
        }
    }

    private func isFile(in shell: Shell) -> Bool {
        var status = stat()
        let answer = unsafe shell.session.path(pass).withCString { unsafe stat($0, &status) }
        return answer == 0 && status.st_mode & S_IFMT != S_IFDIR
    }

    /// The passes to draw. Reports those that cannot be drawn, and all that are not trusted.
    private func passesOfFile(in shell: Shell) async throws -> ([SpooledBytes], ExitCode) {
        var opened = OpenedPasses(try trust.verifier(in: shell.session), in: shell.session)
        let target = try OpenTarget(pass, in: shell.session)
        guard let source = target.source else {
            throw Failure.unreadable(
                target.word.shown, reason: Phrase("only files can be drawn (`open` fetches URLs)"))
        }
        // The remaining work is verification, and writing the picture through a temporary file next
        // to it.
        let folder = URL(fileURLWithPath: output).deletingLastPathComponent().path
        try shell.session.confine(
            reading: [source.input], spooling: opened.spool,
            working: output == "-" ? [] : [folder])
        try await opened.read(OpenedPasses.NamedInput(input: source.input, name: target.word.shown))
        for problem in opened.problems { shell.console.problem(problem) }
        var code = opened.code
        var drawn: [SpooledBytes] = []
        for found in opened.passes {
            let verification = found.verification
            let place = placeInWords(found.source, found.message, found.part)
            if let verified = verification.verified {
                drawn.append(verified.octets)
                report(verified.notes, on: place, in: shell)
            }
            guard verification.verdict != .trusted else { continue }
            let reason = verification.reasons.first.map { ": \($0.phrase.localized)" } ?? ""
            let clause = localized(
                "this pass is {verdict}", ["verdict": verification.verdict.phrase.localized])
            shell.console.problem("\(place): \(clause)\(reason)".escaped)
            if verification.verified == nil { code = code.joined(with: .notTrusted) }
        }
        return (drawn, code)
    }
}

extension PictureKind: ExpressibleByArgument {}
