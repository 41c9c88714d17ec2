public import Foundation
public import PassVerification
internal import Platform

/// The result of checking a library.
public struct LibraryCheck: Sendable {
    /// The problems found; empty if there are none.
    public let findings: [LibraryFinding]
    /// The number of passes after the check.
    public let passes: Int
    /// The number of versions checked.
    public let versions: Int
}

extension PassLibrary {
    /// Checks a library while no process adds to it, and optionally repairs it.
    ///
    /// - Parameters:
    ///   - directory: The directory of the library.
    ///   - mend: Whether to repair what is found; see ``LibraryFinding/Code``.
    ///   - patience: How long to wait for other processes.
    ///   - verify: Verifies the octets of a pass file that is missing in the index; nil rejects the
    ///     file.
    /// - Throws: ``LibraryError/noSuchLibrary(_:)``; ``LibraryError/locked(_:)`` while others use
    ///   it; ``LibraryError/cannotRead(path:reason:)`` or
    ///   ``LibraryError/cannotWrite(path:reason:)`` if it cannot be checked or repaired.
    public static func check(
        at directory: URL, mend: Bool, patience: Duration = .seconds(30),
        verify: (Data) -> VerifiedPass?
    ) throws(LibraryError) -> LibraryCheck {
        let files = FileStore(root: directory.standardizedFileURL.path)
        guard files.exists(files.root) else { throw .noSuchLibrary(files.root) }
        guard files.exists(Index.path(in: files.root)) || files.exists(files.passes) else {
            throw .noSuchLibrary(files.root)
        }
        return try LibraryLock.hold(
            for: .removing, in: files.root, patience: patience
        ) { () throws(LibraryError) in
            let path = Index.path(in: files.root)
            do {
                var checkup = Checkup(files: files, mend: mend, patience: patience)
                try checkup.checkIndex(verify)
                return try checkup.checkAll(verify)
            } catch {
                throw LibraryError(error, at: path)
            }
        }
    }
}
