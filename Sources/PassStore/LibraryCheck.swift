internal import Bytes
public import Foundation
internal import GRDB
public import PassModel
public import PassVerification

/// What a check of a library found.
public struct LibraryCheck: Sendable {
    /// What is not as it should be; empty for a library in order.
    public let findings: [LibraryFinding]
    /// How many passes the library holds after the check.
    public let passes: Int
    /// How many versions of them were looked at.
    public let versions: Int
}

/// One thing that is not as it should be.
public struct LibraryFinding: Sendable, Hashable {
    /// What a crash, or a hand, can leave.
    public enum Code: String, Sendable, CaseIterable, Codable {
        /// A temporary file of an import, or the body of a download, that was killed. Mending removes
        /// it.
        case leftoverFile = "leftover-file"
        /// A pass file that the index does not know: an import or a removal was ended before it was
        /// done, or the end of the index's log was lost. Mending takes the pass in again.
        case orphanFile = "orphan-file"
        /// Something in the library's directories that the library did not put there. It is left.
        case strayFile = "stray-file"
        /// The file of a version is gone. Mending removes the version; an older one comes to front.
        case missingFile = "missing-file"
        /// The file of a version does not hold what was stored. Mending sets it aside, in `damaged`,
        /// and removes the version.
        case wrongHash = "wrong-hash"
        /// Another version belongs in front. Mending puts it there.
        case wrongFront = "wrong-front"
        /// The search does not say what the passes say. Mending fills it again.
        case wrongSearch = "wrong-search"
        /// What is known of the updates of passes cannot be read. Mending forgets it; the next update
        /// looks at the passes again, and asks about all.
        case wrongUpdates = "wrong-updates"
        /// The index cannot be read. Mending sets it aside, in `damaged`, and makes a new one from the
        /// files.
        case damagedIndex = "damaged-index"
        /// A file that the index does not know and does not take, because the verifier no longer
        /// does. Mending sets it aside, in `damaged`.
        case refusedFile = "refused-file"
        /// Others than its owner can look into the library. Mending forbids it.
        case openToOthers = "open-to-others"
    }

    /// What kind of thing it is.
    public let code: Code
    /// The file it is about.
    public let path: String
    /// The pass it is about, where one is known.
    public let identity: PassIdentity?
    /// A sentence that a person understands.
    public let detail: String
    /// Whether it is as it should be now.
    public let isMended: Bool
}

extension PassLibrary {
    /// Looks whether a library is whole, while nobody adds to it, and mends it if asked to.
    ///
    /// - Parameters:
    ///   - directory: That of the library.
    ///   - mend: Whether to mend what is found; see ``LibraryFinding/Code`` for what that means.
    ///   - patience: How long to wait for other processes.
    ///   - verify: Judges the octets of a pass file again that the index does not know; nil refuses
    ///     the file.
    /// - Throws: ``LibraryError/noSuchLibrary(_:)``; ``LibraryError/locked(_:)`` while others use it;
    ///   ``LibraryError/cannotRead(path:reason:)`` or ``LibraryError/cannotWrite(path:reason:)`` when
    ///   it cannot be looked at or mended.
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
                try checkup.lookAtIndex(verify)
                return try checkup.lookAtAll(verify)
            } catch {
                throw LibraryError(error, at: path)
            }
        }
    }
}

/// A check in progress, with the library to itself.
struct Checkup {
    let files: FileStore
    let mend: Bool
    let patience: Duration
    private(set) var findings: [LibraryFinding] = []
    /// Files of versions that the index has in another packing.
    private var packings: [String] = []

    init(files: FileStore, mend: Bool, patience: Duration) {
        self.files = files
        self.mend = mend
        self.patience = patience
    }

    mutating func lookAtAll(_ verify: (Data) -> VerifiedPass?) throws -> LibraryCheck {
        lookAtPermissions()
        try lookAtLeftovers()
        guard files.exists(Index.path(in: files.root)), !isIndexBeyondUse else {
            return LibraryCheck(findings: findings, passes: 0, versions: 0)
        }
        let index = try Index.openForCheck(files, patience: patience)
        let versions = try lookAtVersions(index)
        try lookAtPassFiles(index, verify)
        try lookAtFronts(index)
        try lookAtSearch(index)
        try lookAtUpdates(index)
        try lookAtDownloads(index)
        let passes = try index.read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM passes") ?? 0
        }
        try index.close()
        return LibraryCheck(findings: findings, passes: passes, versions: versions)
    }

    private var isIndexBeyondUse: Bool {
        findings.contains { $0.code == .damagedIndex && !$0.isMended }
    }

    mutating func note(
        _ code: LibraryFinding.Code, _ path: String, _ detail: String,
        about identity: PassIdentity? = nil, mended: Bool? = nil
    ) {
        findings.append(
            LibraryFinding(
                code: code, path: path, identity: identity, detail: detail,
                isMended: mended ?? mend))
    }

    /// Has a file removed that the index does not rely on, once it is the index.
    mutating func addPacking(_ path: String) { packings.append(path) }

    mutating func removePackings() throws(FileError) {
        for path in packings { try files.remove(path) }
        packings = []
    }

    private mutating func lookAtPermissions() {
        var isOpen = false
        if let attributes = try? FileManager.default.attributesOfItem(atPath: files.root),
            let permissions = attributes[.posixPermissions] as? NSNumber
        {
            isOpen = permissions.intValue & 0o077 != 0
        }
        guard isOpen else { return }
        let mended =
            mend
            && (try? FileManager.default.setAttributes(
                [.posixPermissions: 0o700], ofItemAtPath: files.root)) != nil
        note(.openToOthers, files.root, "others can look into the library", mended: mended)
    }

    /// Nobody is importing while we look: what lies here belongs to nobody.
    private mutating func lookAtLeftovers() throws {
        for name in try files.names(in: files.temporary) {
            let path = "\(files.temporary)/\(name)"
            if mend { try files.remove(path) }
            note(.leftoverFile, path, "an import was ended before it was done")
        }
    }
}
