internal import ArgumentParser
internal import Bytes
internal import Foundation
internal import Localization
internal import MailSource
internal import PassImport
internal import PassPresentation
internal import PassVerification

/// What a command has of the world outside: the variables of the shell, and its streams.
package struct Shell: Sendable {
    let environment: Environment
    let console: Console
    /// The arguments, byte by byte: a path need not be text.
    var arguments: [[UInt8]] = []
    /// The words that it speaks; nil for English.
    private(set) var catalogue: Catalogue?

    package init(environment: Environment, console: Console, arguments: [[UInt8]] = []) {
        self.environment = environment
        self.console = console
        self.arguments = arguments
    }

    /// Has the program speak the reader's language from now on. To be called before there is a second
    /// thread.
    ///
    /// - Parameter language: In place of what the variables say.
    mutating func speak(_ language: String?) {
        catalogue = environment.catalogue(language)
        catalogue?.use()
    }

    /// The path that an argument names, also when not all of it is UTF-8.
    func path(_ argument: String) -> Path {
        guard argument.unicodeScalars.contains("\u{FFFD}") else { return Path(argument) }
        let bytes = arguments.first { String(decoding: $0, as: UTF8.self) == argument }
        return bytes.map { Path($0) } ?? Path(argument)
    }
}

extension Shell {
    /// The authorities that this person trusts beside Apple.
    var trustFolder: TrustFolder {
        TrustFolder(URL(fileURLWithPath: environment.trustFolder, isDirectory: true))
    }

    /// Where large parts are kept: where the person wants them, if that is said.
    var spool: SpoolPolicy {
        var spool = SpoolPolicy()
        if let folder = environment["TMPDIR"] { spool.directories.insert(folder, at: 0) }
        return spool
    }

    /// Apple, and what the trust folder holds.
    func keptAnchors() throws -> TrustAnchors {
        let contents = try trustFolder.contents()
        for unusable in contents.unusable {
            // Less is trusted than the person may think, which is for them to know.
            let path = "\(environment.trustFolder)/\(unusable.file)"
            console.problem("\(path): \(translated(unusable.reason))".escaped)
        }
        return contents.kept.reduce(.apple) { $0.adding($1.anchor) }
    }

    /// The verifier that believes Apple, the authorities in the trust folder, and others.
    func verifier(believing others: TrustAnchors, at date: Date? = nil) throws -> PassVerifier {
        PassVerifier(anchors: try keptAnchors().adding(others), at: date)
    }
}

/// A command of the program.
protocol Verb: ParsableCommand {
    func run(in shell: Shell) async throws -> ExitCode

    /// What is asked for in place of the language of the locale.
    var wantedLanguage: String? { get }
}

extension Verb {
    var wantedLanguage: String? { nil }
}

extension ImportOptions {
    /// With large parts kept where the person wants them.
    init(_ verifier: PassVerifier, in shell: Shell) {
        self.init()
        self.verifier = verifier
        spool = shell.spool
    }
}
