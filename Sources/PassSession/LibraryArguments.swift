package import ArgumentParser
package import Foundation
package import MailSource
package import PassImport
package import PassModel
package import PassPresentation
package import PassStore
package import PassVerification

/// The option for the folder of the library.
package struct LibraryArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The folder of the library (default: $PASSCONDUIT_LIBRARY or your data folder).",
            valueName: "folder"),
        completion: .directory)
    package var library: String?

    package init() {}

    package func validate() throws {
        if library == "" { throw ValidationError("--library needs the name of a folder") }
    }
}

extension LibraryArguments {
    package func folder(in session: Session) throws(Failure) -> URL {
        let path = session.environment.library(library)
        // Bytes that are not UTF-8 were replaced by U+FFFD, so this would be another folder.
        guard !path.unicodeScalars.contains("\u{FFFD}") else {
            throw .usage(
                Phrase("the path of the library is not UTF-8: {place}", ["place": .text(path)]))
        }
        return URL(fileURLWithPath: path, isDirectory: true)
    }

    package func library(for access: PassLibrary.Access, in session: Session) throws -> PassLibrary
    {
        try PassLibrary(at: folder(in: session), for: access)
    }

    /// Opens the library for importing. Rebuilds a damaged index from the pass files and reports
    /// it. Without the repair, mail would bounce until someone repaired the library.
    package func library(
        mendedBy verifier: PassVerifier, patience: Duration = .seconds(30), in session: Session
    ) throws -> PassLibrary {
        let mending = IndexMending { octets in
            verifier.verify(Array(octets)).verified
        } report: { finding in
            session.report("\(finding.path): \(finding.phrase.localized)".escaped)
        }
        return try PassLibrary(
            at: folder(in: session), for: .writing, patience: patience, mending: mending)
    }

    /// Opens the library for reading, after confining this process to it.
    package func libraryAlone(in session: Session) throws -> PassLibrary {
        try alone(in: session) { folder, copies in
            try PassLibrary(at: folder, for: .reading, temporaryFolder: copies)
        }
    }

    /// Opens a library after confining this process to it.
    ///
    /// - Parameters:
    ///   - mending: Whether the permissions of the library's files may be changed.
    ///   - open: Gets the folder of the library, and one for a copy of its index if that is needed.
    package func alone<Value>(
        in session: Session, mending: Bool = false, _ open: (URL, URL?) throws -> Value
    ) throws -> Value {
        let folder = try folder(in: session)
        let copies =
            PassLibrary.needsCopy(at: folder)
            ? try TemporaryFolder(named: "passconduit-index-", in: session.temporaryFolders) : nil
        defer { copies?.remove() }
        try session.confine(
            library: folder, working: copies.map { [$0.path] } ?? [], mending: mending)
        return try open(folder, copies.map { URL(fileURLWithPath: $0.path, isDirectory: true) })
    }
}

extension LibraryArguments {
    /// The file of the current version of a pass. Fails if there is no such pass or no library.
    package func file(of pass: PassIdentity, in session: Session) throws(Failure) -> Path {
        let folder = try folder(in: session)
        let name = clipped(pass.passURL.absoluteString, to: 80)
        let stored: StoredPass?
        do throws(LibraryError) {
            let library = try PassLibrary(at: folder, for: .reading)
            stored = try library.pass(
                withPassTypeIdentifier: pass.passTypeIdentifier, serialNumber: pass.serialNumber)
            if let stored { return Path(library.file(of: stored.current).path) }
        } catch {
            throw .unreadable(name, reason: error.phrase)
        }
        throw .unreadable(
            name,
            reason: Phrase(
                "there is no pass {name} in the library at {place}",
                ["name": .text(clipped(pass.description, to: 80)), "place": .text(folder.path)]))
    }

    /// The messages that wait for the default library. Another library needs a spool of its own.
    package func mailWaiting(in session: Session) -> SpooledMail? {
        library == nil ? SpooledMail(in: session.environment) : nil
    }

    /// Whether a source is a file of the library.
    package func contains(_ source: String, in session: Session) throws(Failure) -> Bool {
        try source.hasPrefix(folder(in: session).standardizedFileURL.path + "/")
    }

    /// What importing the pass would change; nil for a pass that can never be imported.
    package func prospect(of found: FoundPass, in session: Session) throws -> Prospect? {
        guard let pass = found.verification.verified else { return nil }
        do {
            let library = try self.library(for: .reading, in: session)
            return try library.prospect(of: IncomingPass(pass: pass, origin: found.origin))
        } catch LibraryError.noSuchLibrary {
            return .added
        }
    }

    /// How a pass differs from the one that it would replace, in escaped lines.
    package func changes(
        _ found: FoundPass, _ prospect: Prospect?, _ displayLocale: DisplayLocale,
        in session: Session
    ) -> [String] {
        guard prospect?.admission == .updated, let stored = prospect?.stored,
            let new = found.verification.pass,
            // `library check` reports missing files.
            let library = try? self.library(for: .reading, in: session),
            let old = try? library.contents(of: stored.current)
        else { return [] }
        return PassChanges(old: old, new: new, displayLocale: displayLocale).lines
    }
}
