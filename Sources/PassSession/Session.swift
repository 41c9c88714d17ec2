package import Bytes
package import Foundation
package import Localization
package import MailSource
internal import PassImport
internal import PassPresentation
package import PassVerification

/// What a program is started with: the variables of the shell, its arguments, and its languages.
package struct Session: Sendable {
    package let environment: Environment
    /// Tells the person what is wrong with this computer's own settings, as an escaped clause.
    package let report: @Sendable (String) -> Void
    /// The arguments, byte by byte: a path need not be text.
    private let arguments: [[UInt8]]
    /// The words that it speaks; nil for English.
    package private(set) var catalogue: Catalogue?

    package init(
        environment: Environment, arguments: [[UInt8]] = [],
        report: @escaping @Sendable (String) -> Void
    ) {
        self.environment = environment
        self.arguments = arguments
        self.report = report
    }

    /// Has the program speak the reader's language from now on. To be called before there is a second
    /// thread.
    ///
    /// - Parameter language: In place of what the variables say.
    package mutating func speak(_ language: String?) {
        catalogue = environment.catalogue(language)
        catalogue?.use()
    }

    /// The path that an argument names, also when not all of it is UTF-8.
    package func path(_ argument: String) -> Path {
        guard argument.unicodeScalars.contains("\u{FFFD}") else { return Path(argument) }
        let bytes = arguments.first { String(decoding: $0, as: UTF8.self) == argument }
        return bytes.map { Path($0) } ?? Path(argument)
    }
}

extension Session {
    /// The authorities that this person trusts beside Apple.
    package var trustFolder: TrustFolder {
        TrustFolder(URL(fileURLWithPath: environment.trustFolder, isDirectory: true))
    }

    /// Where large parts are kept: where the person wants them, if that is said.
    package var spool: SpoolPolicy {
        var spool = SpoolPolicy()
        if let folder = environment["TMPDIR"] { spool.directories.insert(folder, at: 0) }
        return spool
    }

    /// Apple, and what the trust folder holds.
    package func keptAnchors() throws -> TrustAnchors {
        let contents = try trustFolder.contents()
        for unusable in contents.unusable {
            // Less is trusted than the person may think, which is for them to know.
            let path = "\(environment.trustFolder)/\(unusable.file)"
            report("\(path): \(translated(unusable.reason))".escaped)
        }
        return contents.kept.reduce(.apple) { $0.adding($1.anchor) }
    }

    /// The verifier that believes Apple, the authorities in the trust folder, and others.
    package func verifier(believing others: TrustAnchors, at date: Date? = nil) throws
        -> PassVerifier
    {
        PassVerifier(anchors: try keptAnchors().adding(others), at: date)
    }
}

extension ImportOptions {
    /// With large parts kept where the person wants them.
    package init(_ verifier: PassVerifier, in session: Session) {
        self.init()
        self.verifier = verifier
        spool = session.spool
    }
}
