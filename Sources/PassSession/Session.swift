package import Bytes
package import Foundation
package import Localization
package import MailSource
internal import PassImport
internal import PassPresentation
package import PassVerification

/// The environment, arguments and language with which a program was started.
package struct Session: Sendable {
    package let environment: Environment
    /// Reports problems with the user's settings, as escaped clauses.
    package let report: @Sendable (String) -> Void
    /// The arguments as bytes: a path need not be valid text.
    private let arguments: [[UInt8]]
    /// The message catalogue; nil for English.
    package private(set) var catalogue: Catalogue?

    package init(
        environment: Environment, arguments: [[UInt8]] = [],
        report: @escaping @Sendable (String) -> Void
    ) {
        self.environment = environment
        self.arguments = arguments
        self.report = report
    }

    /// Sets the language of messages and the form of dates in them. Call it before a second thread starts.
    ///
    /// - Parameter language: Overrides the environment.
    package mutating func speak(_ language: String?) {
        catalogue = environment.catalogue(language)
        catalogue?.use()
        DisplayLocale(environment, language: language).useForDates()
    }

    /// The path in an argument, even if it is not valid UTF-8.
    package func path(_ argument: String) -> Path {
        guard argument.unicodeScalars.contains("\u{FFFD}") else { return Path(argument) }
        let bytes = arguments.first { String(decoding: $0, as: UTF8.self) == argument }
        return bytes.map { Path($0) } ?? Path(argument)
    }
}

extension Session {
    /// The folder of the certificates that the user trusts in addition to Apple's.
    package var trustFolder: TrustFolder {
        TrustFolder(URL(fileURLWithPath: environment.trustFolder, isDirectory: true))
    }

    /// Where folders for short-lived files are created: the first that allows it.
    package var temporaryFolders: [String] {
        [environment["TMPDIR"], "/tmp", "/var/tmp"].compactMap(\.self)
    }

    /// Where large parts are stored temporarily; TMPDIR comes first.
    package var spool: SpoolPolicy {
        var spool = SpoolPolicy()
        if let folder = environment["TMPDIR"] { spool.directories.insert(folder, at: 0) }
        return spool
    }

    /// Apple's trust anchors and those in the trust folder. Fails if the folder or a file in it
    /// cannot be read: without its certificates, genuine passes would be refused for good.
    package func keptAnchors() throws(Failure) -> TrustAnchors {
        let contents: TrustFolder.Contents
        do throws(TrustFolderError) {
            contents = try trustFolder.contents()
        } catch {
            throw .unreadable(environment.trustFolder, reason: error.phrase)
        }
        for unusable in contents.unusable {
            let path = "\(environment.trustFolder)/\(unusable.file)"
            if let fault = unusable.fault { throw .unreadable(path, reason: fault.phrase) }
            // Report it: fewer certificates are trusted than the user may think.
            report("\(path): \(unusable.error.phrase.localized)".escaped)
        }
        return contents.anchors()
    }

    /// A verifier that trusts Apple, the trust folder and `others`.
    package func verifier(believing others: TrustAnchors, at date: Date? = nil) throws
        -> PassVerifier
    {
        PassVerifier(anchors: try keptAnchors().adding(others), at: date)
    }
}

extension ImportOptions {
    /// Stores large parts in the folder that the session specifies.
    package init(_ verifier: PassVerifier, in session: Session) {
        self.init()
        self.verifier = verifier
        spool = session.spool
    }
}
