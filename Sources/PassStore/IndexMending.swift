public import Foundation
internal import GRDB
public import PassVerification

/// The repair of an unusable index: damaged, emptied or lost.
///
/// The index is moved to `damaged`, and rebuilt from the pass files; then the operation continues.
/// One of several processes does it, and the others use the new index. An index that is only in
/// use, inaccessible, or of a later version is left unchanged.
///
/// Origins of passes, their IDs and the order of arrival of their versions are recovered from the
/// old index as far as it is readable; otherwise, the origin of a pass is its own file. Every file
/// is verified again, but kept whatever its verdict: passes that the user accepted stay, with their
/// present verdict. Those that were trusted stay trusted, as when they are added again. Of several
/// copies of one version (see ``PassLibrary/add(_:)``), the new index names the best; the files of
/// the others are deleted a day later. The import date is that of the repair. Source notes are kept
/// if they are readable and no pass of the old index is known or suspected to be missing.
///
/// ```swift
/// let mending = IndexMending { file in
///     verifier.verify(Array(file)).verified
/// } report: { finding in
///     print(finding.path, finding.code.rawValue)
/// }
/// let library = try PassLibrary(at: url, for: .changing, mending: mending)
/// ```
public struct IndexMending: Sendable {
    private let verify: @Sendable (Data) -> VerifiedPass?
    private let report: @Sendable (LibraryFinding) -> Void

    /// Creates a repair.
    ///
    /// ```swift
    /// let silent = IndexMending(verify: { verifier.verify(Array($0)).verified }, report: { _ in })
    /// ```
    ///
    /// - Parameters:
    ///   - verify: Verifies the octets of a pass file; a file for which it returns nil is moved to
    ///     `damaged`.
    ///   - report: Called after each repair.
    public init(
        verify: @escaping @Sendable (Data) -> VerifiedPass?,
        report: @escaping @Sendable (LibraryFinding) -> Void
    ) {
        self.verify = verify
        self.report = report
    }

    /// Repairs an unusable index, unless another process has already done so.
    func mend(_ files: FileStore, patience: Duration) throws(LibraryError) {
        try check(files, patience: patience) { checkup in
            try checkup.checkIndex(verify)
            guard checkup.findings.isEmpty else { return }
            let index = try Index.openForCheck(files, patience: patience, mend: true)
            try checkup.checkSearch(index)
            try index.close()
        }
    }

    /// Adds pass files that are missing from the index.
    func takeBackFiles(_ files: FileStore, patience: Duration) throws(LibraryError) {
        try check(files, patience: patience) { checkup in
            let index = try Index.openForCheck(files, patience: patience, mend: true)
            try checkup.checkPassFiles(index, verify)
            try index.close()
        }
    }

    private func check(
        _ files: FileStore, patience: Duration, _ body: (inout Checkup) throws -> Void
    ) throws(LibraryError) {
        let findings = try LibraryLock.hold(
            for: .removing, in: files.root, patience: patience
        ) { () throws(LibraryError) in
            do {
                var checkup = Checkup(files: files, mend: true, patience: patience)
                try body(&checkup)
                return checkup.findings.filter(\.isMended)
            } catch {
                throw LibraryError(error, at: Index.path(in: files.root))
            }
        }
        for finding in findings { report(finding) }
    }
}

extension LibraryError {
    /// Whether checking and reopening the index may help.
    var concernsIndex: Bool {
        switch self {
        case .corrupted, .replaced: true
        default: false
        }
    }
}
