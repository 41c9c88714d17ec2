public import Foundation
public import PassVerification
internal import Platform

/// The result of checking a library.
///
/// ```swift
/// let check = try PassLibrary.check(at: url, mend: false) { verifier.verify(Array($0)).verified }
/// print(check.passes, "passes,", check.findings.count, "problems")
/// ```
public struct LibraryCheck: Sendable {
    /// The problems found; empty if there are none.
    public let findings: [LibraryFinding]
    /// The number of passes after the check.
    public let passes: Int
    /// The number of versions checked.
    public let versions: Int
}

extension PassLibrary {
    /// Checks a library while no process adds to it, and optionally repairs it. Where this process
    /// cannot write, it takes no lock, so others may add to the library meanwhile.
    ///
    /// ```swift
    /// let repaired = try PassLibrary.check(at: url, mend: true) { verifier.verify(Array($0)).verified }
    /// for finding in repaired.findings where !finding.isMended { print(finding.path) }
    /// ```
    ///
    /// - Parameters:
    ///   - directory: The directory of the library.
    ///   - mend: Whether to repair what is found; see ``LibraryFinding/Code``.
    ///   - patience: How long to wait for other processes.
    ///   - temporaryFolder: As in ``init(at:passTypeIdentifiers:for:patience:mending:temporaryFolder:)``.
    ///   - verify: Verifies the octets of a pass file that is missing in the index; nil rejects the
    ///     file.
    /// - Throws: ``LibraryError/noSuchLibrary(_:)``; ``LibraryError/locked(_:)`` while others use
    ///   it; ``LibraryError/cannotRead(path:reason:)`` or
    ///   ``LibraryError/cannotWrite(path:reason:)`` if it cannot be checked or repaired.
    public static func check(
        at directory: URL, mend: Bool, patience: Duration = .seconds(30),
        temporaryFolder: URL? = nil, verify: (Data) -> VerifiedPass?
    ) throws(LibraryError) -> LibraryCheck {
        let files = FileStore(at: directory, copies: temporaryFolder)
        try Index.refuseIfNoLibrary(files)
        // On read-only media there can be no lock, and nothing to exclude.
        if !mend, !LibraryLock.isPossible(in: files.root) {
            return try check(files, mend: mend, patience: patience, verify: verify)
        }
        return try LibraryLock.hold(
            for: .removing, in: files.root, patience: patience
        ) { () throws(LibraryError) in
            try check(files, mend: mend, patience: patience, verify: verify)
        }
    }

    private static func check(
        _ files: FileStore, mend: Bool, patience: Duration, verify: (Data) -> VerifiedPass?
    ) throws(LibraryError) -> LibraryCheck {
        do {
            var checkup = Checkup(files: files, mend: mend, patience: patience)
            try checkup.checkIndex(verify)
            return try checkup.checkAll(verify)
        } catch {
            throw LibraryError(error, at: Index.path(in: files.root))
        }
    }
}
