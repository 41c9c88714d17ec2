internal import Foundation
internal import GRDB
internal import Platform

extension DownloadQueue {
    /// Pauses downloads, including those that another process is fetching. Ended ones are
    /// unchanged.
    ///
    /// - Returns: The downloads with these IDs in their new state; missing ones are omitted.
    /// - Throws: ``LibraryError/cannotWrite(path:reason:)``, also for a read-only library;
    ///   ``LibraryError/locked(_:)``; ``LibraryError/replaced(_:)``.
    @discardableResult
    public func pause(_ ids: [Int64]) throws(LibraryError) -> [Download] {
        try change(ids) { download, _ in
            if download.state == .waiting { download.state = .paused }
        }
    }

    /// Resumes paused downloads, retries waiting ones at once, and restarts failed ones unless the
    /// same URL was requested since.
    ///
    /// - Returns: As ``pause(_:)``.
    /// - Throws: As ``pause(_:)``.
    @discardableResult
    public func resume(_ ids: [Int64]) throws(LibraryError) -> [Download] {
        try change(ids) { download, db in
            if download.state.isEnded {
                guard download.state == .failed,
                    try DownloadRow.last(download.contentURL, db)?.download.id == download.id
                else { return }
                download.attempts = 0
            }
            download.state = .waiting
            download.nextAttempt = nil
        }
    }

    /// Cancels downloads, including those that another process is fetching, and deletes the bytes
    /// received.
    ///
    /// - Returns: As ``pause(_:)``.
    /// - Throws: As ``pause(_:)``.
    @discardableResult
    public func cancel(_ ids: [Int64]) throws(LibraryError) -> [Download] {
        let downloads = try change(ids) { download, _ in
            guard !download.state.isEnded else { return }
            download.state = .cancelled
            download.nextAttempt = nil
        }
        for download in downloads where download.state.isEnded {
            // A process that holds the file deletes it itself.
            try? removeFile(of: download.id)
        }
        return downloads
    }

    /// Deletes ended downloads that no process holds.
    ///
    /// - Returns: The IDs of deleted downloads.
    /// - Throws: As ``pause(_:)``.
    @discardableResult
    public func remove(_ ids: [Int64]) throws(LibraryError) -> [Int64] {
        try change { db in
            try ids.filter { id in
                guard let download = try DownloadRow.fetch(id, db), download.state.isEnded,
                    DownloadFile.look(at: path(of: id))?.isHeld != true
                else { return false }
                try db.run("DELETE FROM downloads WHERE id = ?", [id])
                return true
            }
        }
    }

    private func change(
        _ ids: [Int64], _ body: (inout Download, Database) throws -> Void
    ) throws(LibraryError) -> [Download] {
        guard !ids.isEmpty else { return [] }
        let downloads = try change { db in
            try ids.compactMap { id -> Download? in
                guard let before = try DownloadRow.fetch(id, db) else { return nil }
                var row = DownloadRow(before)
                try body(&row.download, db)
                guard row.download != before else { return before }
                row.download.updatedAt = .nowAsKept
                try row.store(db)
                return row.download
            }
        }
        let files = Set(try names())
        return downloads.map { asSeen($0, files) }
    }

    func removeFile(of id: Int64) throws(FileError) {
        try DownloadFile.take(path(of: id), making: false)?.remove()
    }
}
