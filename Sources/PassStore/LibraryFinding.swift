public import PassModel

/// A problem found by a check.
///
/// ```swift
/// let check = try PassLibrary.check(at: url, mend: true) { verifier.verify(Array($0)).verified }
/// for finding in check.findings { print(finding.code.rawValue, finding.isMended) }
/// ```
public struct LibraryFinding: Sendable, Hashable {
    /// The kinds of problems that a crash or manual changes can cause.
    ///
    /// ```swift
    /// print(LibraryFinding.Code.missingFile.rawValue)  // missing-file
    /// ```
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
    ///
    /// ```swift
    /// let check = try PassLibrary.check(at: url, mend: false) { verifier.verify(Array($0)).verified }
    /// for finding in check.findings where finding.kind == .openToOthers { print(finding.path) }
    /// ```
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
    /// The payload of ``LibraryFinding/Kind/missingFile(_:)`` and
    /// ``LibraryFinding/Kind/changedFile(_:)``.
    public enum RemainingVersions: Sendable, Hashable {
        /// None: the lost one was the only version.
        case onlyVersion
        /// There are others.
        case others
    }

    /// The index that was rebuilt from the pass files.
    /// The payload of ``LibraryFinding/Kind/damagedIndex(_:_:)``.
    public struct RebuiltIndex: Sendable, Hashable {
        /// The number of pass files in it.
        public internal(set) var files = 0
        /// The number of pass files with unknown origins.
        public internal(set) var unknownOrigins = 0
        /// Whether no download was lost.
        package internal(set) var hasAllDownloads = true
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
