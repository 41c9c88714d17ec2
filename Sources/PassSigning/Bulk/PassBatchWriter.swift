package import Foundation
package import PassVerification
package import Platform

/// Signs rows of data and writes their passes into a folder. The passes of a batch are synced
/// together, and each is verified and complete before it has its name.
package struct PassBatchWriter: Sendable {
    private let files: DurableBatch
    private let isOverwriting: Bool

    /// Opens the folder, which must exist. Close it with ``close()``.
    package init(folder: String, isOverwriting: Bool) throws(FileError) {
        files = try DurableBatch(folder: folder)
        self.isOverwriting = isOverwriting
    }

    package func close() {
        files.close()
    }

    /// - Parameter rows: The rows with the names of their files.
    /// - Returns: What was written for each row.
    package func write(
        _ rows: [(row: TemplateRow, name: String)], signedBy bulk: BulkSigner, at time: Date = .now
    ) -> [Result<WrittenPass, PassWriteError>] {
        let drafts = bulk.passes(for: rows.map(\.row), at: time) { index, pass in
            Result { () throws(PassWriteError) in
                try draft(of: pass, number: index)
            }
        }
        let written = drafts.indices.compactMap { index in
            (try? drafts[index].get()).map { (name: Array(rows[index].name.utf8), draft: $0.draft) }
        }
        var errors = files.place(written, replacing: isOverwriting)[...]
        return drafts.map { draft in
            draft.flatMap { draft in
                guard let error = errors.popFirst() ?? nil else {
                    return .success(draft.pass)
                }
                return .failure(.file(error))
            }
        }
    }

    private func draft(
        of pass: Result<RowPass, RowError>, number: Int
    ) throws(PassWriteError) -> (pass: WrittenPass, draft: DurableBatch.Draft) {
        let signed: RowPass
        do throws(RowError) {
            signed = try pass.get()
        } catch {
            throw .row(error)
        }
        do throws(FileError) {
            let draft = try files.draft(signed.pass.bytes, number: number)
            return (
                WrittenPass(verification: signed.pass.verification, warnings: signed.warnings),
                draft
            )
        } catch {
            throw .file(error)
        }
    }
}

/// A pass of a row that has its file.
package struct WrittenPass: Sendable {
    package let verification: Verification
    /// The linter's warnings about the files that differ from row to row.
    package let warnings: [LintFinding]
}

/// Why there is no file for a row.
package enum PassWriteError: Error, Hashable {
    /// There is no pass for the row.
    case row(RowError)
    /// The file was not written.
    case file(FileError)
}
