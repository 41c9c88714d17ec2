public import Foundation
internal import GRDB
public import PassVerification

/// What is done when the index of a library turns out to be beyond use: damaged, emptied, lost.
///
/// It is set aside, in `damaged`, and a new one is made from the pass files; then what was asked for is
/// done. Of any number of processes one does it, and the others find the new one. What is only in use,
/// cannot be read or written, or was made by a later version, is left as it is.
///
/// Files do not say everything. Where passes came from, and the numbers they have in lists, are read
/// from the old index as far as it can be read; else each came from its own file. Every file is judged
/// again; no verdict keeps one out, so that what a person accepted once stays, if as what it is by the
/// judgement of now. Passes count as imported now. What was noted of sources stays where it can be
/// read, unless a pass that the old index knew is gone, or nobody knows: then it is forgotten.
public struct IndexMending: Sendable {
    private let verify: @Sendable (Data) -> VerifiedPass?
    private let report: @Sendable (LibraryFinding) -> Void

    /// A way to mend.
    ///
    /// - Parameters:
    ///   - verify: Judges the octets of a pass file again; a file that it does not take is set aside.
    ///   - report: Is told what was mended, after it was.
    public init(
        verify: @escaping @Sendable (Data) -> VerifiedPass?,
        report: @escaping @Sendable (LibraryFinding) -> Void
    ) {
        self.verify = verify
        self.report = report
    }

    /// Mends an index that is beyond use, if it still is: another process may have been faster.
    func mend(_ files: FileStore, patience: Duration) throws(LibraryError) {
        try check(files, patience: patience) { checkup in
            try checkup.lookAtIndex(verify)
            guard checkup.findings.isEmpty else { return }
            let index = try Index.openForCheck(files, patience: patience)
            try checkup.lookAtSearch(index)
            try index.close()
        }
    }

    /// Takes in again the pass files that the index does not know.
    func takeBackFiles(_ files: FileStore, patience: Duration) throws(LibraryError) {
        try check(files, patience: patience) { checkup in
            let index = try Index.openForCheck(files, patience: patience)
            try checkup.lookAtPassFiles(index, verify)
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
    /// Whether it may be of help to look at the index, and to open it again.
    var concernsIndex: Bool {
        switch self {
        case .corrupted, .replaced: true
        default: false
        }
    }
}
