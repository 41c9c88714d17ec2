public import Foundation
internal import GRDB
public import PassModel
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

/// A problem found by a check.
public struct LibraryFinding: Sendable, Hashable {
    /// The kinds of problems that a crash or manual changes can cause.
    public enum Code: String, Sendable, CaseIterable, Codable {
        /// A temporary file of a killed import or download. Repair: deleted.
        case leftoverFile = "leftover-file"
        /// A pass file missing in the index, after an interrupted import or removal, or a lost log.
        /// Repair: added again.
        case orphanFile = "orphan-file"
        /// A file in the library's directories that is not part of it. It is left alone.
        case strayFile = "stray-file"
        /// The file of a version is missing. Repair: the version is removed; an older one becomes
        /// current.
        case missingFile = "missing-file"
        /// The file of a version was changed. Repair: moved to `damaged`; the version is removed.
        case wrongHash = "wrong-hash"
        /// Another version should be current. Repair: it becomes current.
        case wrongFront = "wrong-front"
        /// The search index does not match the passes. Repair: rebuilt.
        case wrongSearch = "wrong-search"
        /// The update records are unreadable. Repair: deleted; the next update reads the passes
        /// again and requests all.
        case wrongUpdates = "wrong-updates"
        /// The index is unreadable. Repair: moved to `damaged` and rebuilt from the files.
        case damagedIndex = "damaged-index"
        /// A pass file missing in the index that the verifier now rejects. Repair: moved to
        /// `damaged`.
        case refusedFile = "refused-file"
        /// The library is accessible to other users. Repair: permissions are removed.
        case openToOthers = "open-to-others"
    }

    /// The kind of problem, with its details.
    public enum Kind: Sendable, Hashable {
        /// A temporary file of an import that was killed.
        case interruptedImport
        /// The body of a download whose process was killed.
        case interruptedDownload
        /// A pass file that is not in the index.
        case orphanFile
        /// A file that does not belong to the library.
        case strayFile
        /// The file of a version is missing; nil if its pass is unknown.
        case missingFile(RemainingVersions?)
        /// The file of a version was changed; nil if its pass is unknown.
        case changedFile(RemainingVersions?)
        /// Another version should be current.
        case wrongFront
        /// The search index does not match the passes.
        case wrongSearch
        /// The update records are unreadable.
        case wrongUpdates
        /// The index is damaged. The second value describes the rebuilt index; nil if it was not
        /// repaired.
        case damagedIndex(IndexDamage, RebuiltIndex?)
        /// A file that is missing from the index, and that the verifier rejects.
        case refusedFile
        /// Other users can read the library.
        case openToOthers
    }

    /// The versions that remain of a pass when one is lost.
    public enum RemainingVersions: Sendable, Hashable {
        /// None: the lost one was the only version.
        case onlyVersion
        /// There are others.
        case others
    }

    /// The index that was rebuilt from the pass files.
    public struct RebuiltIndex: Sendable, Hashable {
        /// The number of pass files in it.
        public internal(set) var files = 0
        /// The number of pass files with unknown origins.
        public internal(set) var unknownOrigins = 0
        /// Whether no download was lost.
        public internal(set) var hasAllDownloads = true
        /// The path of the old index; nil if there was none.
        public internal(set) var oldIndex: String?
    }

    /// The kind of problem.
    public let kind: Kind
    /// The affected file.
    public let path: String
    /// The affected pass, if known.
    public let identity: PassIdentity?
    /// Whether the problem is repaired.
    public let isMended: Bool

    /// The code of its kind in JSON records.
    public var code: Code {
        switch kind {
        case .interruptedImport, .interruptedDownload: .leftoverFile
        case .orphanFile: .orphanFile
        case .strayFile: .strayFile
        case .missingFile: .missingFile
        case .changedFile: .wrongHash
        case .wrongFront: .wrongFront
        case .wrongSearch: .wrongSearch
        case .wrongUpdates: .wrongUpdates
        case .damagedIndex: .damagedIndex
        case .refusedFile: .refusedFile
        case .openToOthers: .openToOthers
        }
    }
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
                try checkup.lookAtIndex(verify)
                return try checkup.lookAtAll(verify)
            } catch {
                throw LibraryError(error, at: path)
            }
        }
    }
}

/// A check in progress, with exclusive access to the library.
struct Checkup {
    let files: FileStore
    let mend: Bool
    let patience: Duration
    private(set) var findings: [LibraryFinding] = []
    /// Files of versions that the index contains in another packaging.
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
        _ kind: LibraryFinding.Kind, _ path: String, about identity: PassIdentity? = nil,
        mended: Bool? = nil
    ) {
        findings.append(
            LibraryFinding(kind: kind, path: path, identity: identity, isMended: mended ?? mend))
    }

    /// Deletes a redundant file once the new index is in place.
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
        note(.openToOthers, files.root, mended: mended)
    }

    /// No import is running, so every temporary file is a leftover.
    private mutating func lookAtLeftovers() throws {
        for name in try files.names(in: files.temporary) {
            let path = "\(files.temporary)/\(name)"
            if mend { try files.remove(path) }
            note(.interruptedImport, path)
        }
    }
}
