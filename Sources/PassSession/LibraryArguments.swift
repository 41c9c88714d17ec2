package import ArgumentParser
package import Foundation
package import PassImport
internal import PassModel
package import PassPresentation
package import PassStore
package import PassVerification

/// Where the library lies.
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
        // What is no UTF-8 came as U+FFFD: the path of another folder.
        guard !path.unicodeScalars.contains("\u{FFFD}") else {
            throw .usage("the path of the library is not UTF-8: \(path)")
        }
        return URL(fileURLWithPath: path, isDirectory: true)
    }

    package func library(for access: PassLibrary.Access, in session: Session) throws -> PassLibrary
    {
        try PassLibrary(at: folder(in: session), for: access)
    }

    /// The library to import into. An index that is beyond use is made again from the pass files, and
    /// the person is told: a mail that waits for that to be done by hand would come back to its sender.
    package func library(
        mendedBy verifier: PassVerifier, patience: Duration = .seconds(30), in session: Session
    ) throws -> PassLibrary {
        let mending = IndexMending { octets in
            verifier.verify(Array(octets)).verified
        } report: { finding in
            session.report("\(finding.path): \(translated(finding.detail))".escaped)
        }
        return try PassLibrary(at: folder(in: session), patience: patience, mending: mending)
    }

    /// The library for reading, and from here on nothing else.
    package func libraryAlone(in session: Session) throws -> PassLibrary {
        let folder = try folder(in: session)
        try session.confine(library: folder)
        return try PassLibrary(at: folder, for: .reading)
    }
}

extension LibraryArguments {
    /// What would become of a pass; nil for one that can never enter.
    package func prospect(of found: FoundPass, in session: Session) throws -> Prospect? {
        guard let pass = found.verification.verified else { return nil }
        do {
            let library = try self.library(for: .reading, in: session)
            return try library.prospect(of: IncomingPass(pass: pass, origin: found.origin))
        } catch LibraryError.noSuchLibrary {
            return .added
        }
    }

    /// What a pass says differently from the one that it would replace, in escaped lines.
    package func changes(
        _ found: FoundPass, _ prospect: Prospect?, _ displayLocale: DisplayLocale,
        in session: Session
    ) -> [String] {
        guard prospect?.admission == .updated, let stored = prospect?.stored,
            let new = found.verification.pass,
            // What the library has lost is for `library check` to tell.
            let library = try? self.library(for: .reading, in: session),
            let old = try? library.contents(of: stored.current)
        else { return [] }
        return PassChanges(old: old, new: new, displayLocale: displayLocale).lines
    }
}
