internal import ArgumentParser
internal import Bytes
internal import Foundation
internal import Glibc
internal import PassStore
internal import PassVerification

/// `passconduit render`: a pass as a picture.
struct Render: Verb {
    static let configuration = CommandConfiguration(
        commandName: "render",
        abstract: "Draw a pass as Wallet shows it, into a PNG, an SVG or a PDF.",
        discussion: """
            Draws the front of a pass of the library, or of a pass file (.pkpass), with its barcode. \
            No display is needed. A program of its own draws, passconduit-render, which can do \
            nothing else; it comes with the package passconduit-viewer.

            \(nameOfAPass) A pass file that is not trusted is drawn, and the verdict told; one that is \
            malformed or was tampered with is not.

            EXAMPLES
              passconduit render 1 -o pass.png
              passconduit render 1 -o pass.pdf --language de
              passconduit render ticket.pkpass -o ticket.png --scale 3
              passconduit render 1 -o - --format svg | rsvg-convert > pass.png
            """)

    @Argument(
        help: ArgumentHelp("The pass, or a pass file.", valueName: "id|file"),
        completion: .file(extensions: ["pkpass"]))
    var pass: String

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Write here, in the format that the ending says; - is the standard output.",
            valueName: "file"),
        completion: .file(extensions: ["png", "svg", "pdf"]))
    var output: String

    @Option(help: "The format: png, svg or pdf (default: by the ending of the file, or png).")
    var format: PictureKind?

    @Option(
        help: ArgumentHelp(
            "Pixels a point of a PNG: 1, 2 or 3; a card is 375 points wide.", valueName: "number"))
    var scale = 2

    @Flag(help: "Overwrite a file that is there already.")
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

    func run(in shell: Shell) async throws -> ExitCode {
        guard output != "-" || !shell.console.output.isTerminal else {
            throw Failure.usage("a picture is no text: name a file, or a pipe behind -o -")
        }
        let program = try RenderProgram(
            format ?? PictureKind(ofFile: output) ?? .png, scale: scale,
            language: shell.environment.languages(language.language)[0],
            locale: shell.environment.locale(language.language))
        guard let octets = try isFile ? octetsOfFile(in: shell) : octetsOfLibrary(in: shell) else {
            return .notTrusted
        }
        let picture = try program.draw(octets)
        if output == "-" {
            try shell.console.print(octets: picture)
        } else {
            try shell.write(picture, to: output, overwriting: force)
        }
        return .done
    }

    private var isFile: Bool { pass.lowercased().hasSuffix(".pkpass") }

    private func octetsOfLibrary(in shell: Shell) throws -> Octets {
        let library = try place.library(for: .reading, in: shell)
        return Octets(Array(try library.octets(of: library.version(named: pass))))
    }

    /// Nil for a pass that is not drawn, for a reason that is told.
    private func octetsOfFile(in shell: Shell) throws -> Octets? {
        let verifier = try trust.verifier(in: shell)
        let spool = shell.spool
        let file: FileDescriptor
        do throws(FileError) {
            file = try open(shell.path(pass), O_RDONLY)
        } catch {
            throw Failure.unreadable(pass, reason: error.description)
        }
        defer { file.close() }
        // What is left to be done is to judge, and to write the picture beside its draft.
        let folder = URL(fileURLWithPath: output).deletingLastPathComponent().path
        try shell.confine(spooling: spool, working: output == "-" ? [] : [folder])
        let limit = verifier.limits.archive
        guard let octets = try ByteSource(stream: file).octets(limit: limit, spool) else {
            throw Failure.unreadable(pass, reason: "it has more than \(bytesInWords(limit))")
        }
        let verification = verifier.verify(octets)
        let reason = verification.reasons.first.map { ": \($0.detail)" } ?? ""
        if verification.verdict != .trusted {
            shell.console.problem(
                "\(pass): this pass is \(verification.verdict.rawValue)\(reason)".escaped)
        }
        return verification.verified == nil ? nil : octets
    }
}
