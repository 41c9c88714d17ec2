internal import Foundation
internal import GRDB
internal import Platform

/// The downloads of a library: waiting, active and ended ones.
///
/// They are rows of the library's index, and files in its folder `downloads`. Any number of
/// processes may work on the queue at once, each on different downloads, and may be killed at any
/// time: their downloads are then waiting again, and keep the bytes received.
///
/// The order of operations:
/// - A row is durable before its file is created, and IDs are never reused: a file without a row,
///   or with the row of an ended download, was left by a killed process.
/// - The row of an ended download is durable before its file is deleted. If a process is killed in
///   between, the next one that opens the queue for writing deletes the file.
/// - Bodies are not synced. Data lost in a power failure is fetched again; if a file system returns
///   wrong data, verification of the pass fails.
package final class DownloadQueue: Sendable {
    private enum Home {
        case library(PassLibrary)
        case memory(DatabaseQueue)
    }

    /// How long ended downloads are kept. Those of links in messages are kept forever, so that they
    /// are not fetched again whenever the message is read.
    private static let memory: TimeInterval = 30 * 24 * 3600

    /// The folder for bodies.
    package let folder: String
    private let home: Home

    /// Opens the queue of a library.
    package init(of library: PassLibrary) {
        folder = library.files.downloads
        home = .library(library)
        // A file that cannot be deleted now is deleted later.
        if library.access != .reading { try? sweep() }
    }

    /// A temporary queue for this process, with its bodies in a folder.
    package static func temporary(in folder: String) throws(LibraryError) -> DownloadQueue {
        try DownloadQueue(temporaryIn: folder)
    }

    private init(temporaryIn folder: String) throws(LibraryError) {
        self.folder = folder
        do {
            let index = try DatabaseQueue()
            try index.write(Schema.makeDownloads)
            home = .memory(index)
        } catch {
            throw LibraryError(error, at: folder)
        }
    }

    /// The downloads in these states, in the order they were added. A download is active while a
    /// process holds it.
    ///
    /// - Parameters:
    ///   - states: The states to include; nil for all.
    ///   - id: Only downloads with greater IDs.
    ///   - limit: The maximum number; nil for all.
    /// - Throws: ``LibraryError`` if the index or the folder cannot be read.
    package func downloads(
        in states: Set<Download.State>? = nil, after id: Int64 = 0, limit: Int? = nil
    ) throws(LibraryError) -> [Download] {
        let files = Set(try names())
        let kept = Set((states ?? Set(Download.State.allCases)).map { $0.asKept })
        // Exclude the other states instead, so that rows with an invalid state are found and
        // repaired.
        let unwanted = Set(Download.State.allCases.map(\.asKept)).subtracting(kept)
            .map { "'\($0.rawValue)'" }
        return try read(else: []) { db in
            let rows = try DownloadRow.fetchCursor(
                db,
                sql: """
                    SELECT * FROM downloads
                    WHERE id > ? AND state NOT IN (\(unwanted.joined(separator: ", "))) ORDER BY id
                    """,
                arguments: [id])
            var downloads: [Download] = []
            while downloads.count < limit ?? .max, let row = try rows.next() {
                let download = asSeen(row.download, files)
                if states?.contains(download.state) != false { downloads.append(download) }
            }
            return downloads
        }
    }

    /// The download with this ID; nil if it does not exist or was deleted.
    ///
    /// - Throws: As ``downloads(in:after:limit:)``.
    package func download(_ id: Int64) throws(LibraryError) -> Download? {
        try row(id).map { asSeen($0, nil) }
    }

    private func row(_ id: Int64) throws(LibraryError) -> Download? {
        try read(else: nil) { db in try DownloadRow.fetch(id, db) }
    }

    /// The download with the size and state that its file implies.
    ///
    /// - Parameter files: The names of existing files; nil if they were not read.
    private func asSeen(_ download: Download, _ files: Set<String>?) -> Download {
        guard !download.state.isEnded else { return download }
        var seen = download
        let isThere = files?.contains(DownloadFile.name(of: download.id)) != false
        let file = isThere ? DownloadFile.look(at: path(of: download.id)) : nil
        seen.receivedContentLength = file?.size ?? 0
        if download.state == .waiting, file?.isHeld == true { seen.state = .active }
        if seen.state != .active { seen.timeRemaining = nil }
        return seen
    }

    /// Adds downloads in one durable transaction. Downloads that are waiting or active are not
    /// added again.
    ///
    /// - Parameters:
    ///   - onlyNew: Whether ended downloads are not added again either.
    ///   - isWish: Whether the user requested these. If so, downloads that are already waiting get
    ///   these conditions and start at once. Links do not change the conditions of a request by the
    ///   user.
    /// - Returns: The new or existing download for each request; nil for a request that was not
    ///   added because its download has ended.
    /// - Throws: As ``pause(_:)``.
    @discardableResult
    package func add(
        _ requests: [DownloadRequest], onlyNew: Bool = false, isWish: Bool = true
    ) throws(LibraryError) -> [Download?] {
        guard !requests.isEmpty else { return [] }
        let downloads = try change { db in
            try forgetOld(db)
            return try requests.map { request -> Download? in
                let known = try DownloadRow.last(request.url, db)?.download
                if let known, !known.state.isEnded {
                    guard isWish else { return known }
                    var row = DownloadRow(known)
                    row.download.conditions = request.conditions
                    row.download.nextAttempt = nil
                    if row.download != known { try row.store(db) }
                    return row.download
                }
                if known != nil, onlyNew { return nil }
                var row = DownloadRow(Download(request, at: .nowAsKept))
                try row.store(db)
                return row.download
            }
        }
        let files = Set(try names())
        return downloads.map { $0.map { asSeen($0, files) } }
    }

    private func forgetOld(_ db: Database) throws {
        try db.run(
            """
            DELETE FROM downloads
            WHERE state NOT IN ('waiting', 'paused') AND updatedAt < ? AND source IS NULL
            """, [Date.now.timeIntervalSince1970 - DownloadQueue.memory])
    }

    /// Claims a download for this process, to fetch all or the rest of it. Nil if another process
    /// holds it, or if it is paused, ended or deleted.
    ///
    /// Nothing is written to the index: the lock on the file marks it as active.
    ///
    /// - Throws: ``LibraryError/cannotWrite(path:reason:)`` if its file cannot be created, also for
    ///   a read-only library; other errors if the index cannot be read.
    package func begin(_ id: Int64) throws(LibraryError) -> ActiveDownload? {
        let path = path(of: id)
        guard isForChanging else {
            throw .cannotWrite(path: path, reason: .isReadOnly)
        }
        let taken = try writing(path) { () throws(FileError) in
            try DownloadFile.take(path, making: true)
        }
        guard let file = taken else { return nil }
        // Read the row after claiming the file, when no other process can change it.
        let row = try row(id)
        guard var download = row, download.state == .waiting else {
            if row?.state != .paused || file.size == 0 { try? file.remove() }
            return nil
        }
        download.receivedContentLength = file.size
        // Without a validator, start over.
        if download.validator == nil, file.size > 0, !download.isWhole {
            try writing(path) { () throws(FileError) in try file.empty() }
            download.receivedContentLength = 0
        }
        let validator = download.validator
        if file.size == 0 {
            download.validator = nil
            download.wasResumed = false
        }
        download.state = .active
        return ActiveDownload(download, file, keptValidator: validator, in: self)
    }

    /// Removes the unclaimed files of ended or deleted downloads, left by killed processes.
    private func sweep() throws(LibraryError) {
        for name in try leftovers() {
            // Continue if a file cannot be removed.
            try? DownloadFile.take("\(folder)/\(name)", making: false)?.remove()
        }
    }

    /// The files in the folder that do not belong to an unfinished download. A process may still
    /// hold some of them.
    private func leftovers() throws(LibraryError) -> [String] {
        // Read the names before the rows: a row is written before its file.
        let names = try names()
        let ids = names.compactMap(DownloadFile.id)
        guard !ids.isEmpty else { return [] }
        return try read(else: []) { db in try DownloadRow.ended(ids, db).map(DownloadFile.name) }
    }

    func writing<Value: ~Copyable>(
        _ path: String, _ body: () throws(FileError) -> Value
    ) throws(LibraryError) -> Value {
        do throws(FileError) {
            return try body()
        } catch {
            throw .cannotWrite(path: path, reason: .system(error.code))
        }
    }

    /// Pauses downloads, including those that another process is fetching. Ended ones are
    /// unchanged.
    ///
    /// - Returns: The downloads with these IDs in their new state; missing ones are omitted.
    /// - Throws: ``LibraryError/cannotWrite(path:reason:)``, also for a read-only library;
    ///   ``LibraryError/locked(_:)``; ``LibraryError/replaced(_:)``.
    @discardableResult
    package func pause(_ ids: [Int64]) throws(LibraryError) -> [Download] {
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
    package func resume(_ ids: [Int64]) throws(LibraryError) -> [Download] {
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
    package func cancel(_ ids: [Int64]) throws(LibraryError) -> [Download] {
        let downloads = try change(ids) { download, _ in
            guard !download.state.isEnded else { return }
            download.state = .cancelled
            download.nextAttempt = nil
        }
        for download in downloads where download.state.isEnded {
            // A process that holds the file deletes it itself.
            try? DownloadFile.take(path(of: download.id), making: false)?.remove()
        }
        return downloads
    }

    /// Deletes ended downloads that no process holds.
    ///
    /// - Returns: The IDs of deleted downloads.
    /// - Throws: As ``pause(_:)``.
    @discardableResult
    package func remove(_ ids: [Int64]) throws(LibraryError) -> [Int64] {
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

    /// Whether it may be changed.
    private var isForChanging: Bool {
        switch home {
        case .library(let library): library.access != .reading
        case .memory: true
        }
    }

    func path(of id: Int64) -> String { "\(folder)/\(DownloadFile.name(of: id))" }

    /// Reads rows; returns `none` if a read-only library has no table of downloads yet.
    private func read<Value>(
        else none: Value, _ body: (Database) throws -> Value
    ) throws(LibraryError) -> Value {
        func read(_ db: Database) throws -> Value {
            try db.tableExists("downloads") ? try body(db) : none
        }
        switch home {
        case .library(let library):
            return try library.mendingOnce { () throws(LibraryError) in try library.read(read) }
        case .memory(let index):
            do { return try index.read(read) } catch { throw LibraryError(error, at: folder) }
        }
    }

    /// Changes rows in one durable transaction. `body` may be called twice.
    ///
    /// - Parameter isVital: Whether the index must not be replaced by another process in the
    /// meantime.
    func change<Value>(
        isVital: Bool = true, _ body: (Database) throws -> Value
    ) throws(LibraryError) -> Value {
        switch home {
        case .library(let library):
            return try library.mendingOnce { () throws(LibraryError) in
                guard isVital else { return try library.write(body) }
                return try library.holdingLock(for: .adding) { () throws(LibraryError) in
                    try library.write(body)
                }
            }
        case .memory(let index):
            do { return try index.write(body) } catch { throw LibraryError(error, at: folder) }
        }
    }

    private func names() throws(LibraryError) -> [String] {
        try FileStore(root: folder).names(in: folder)
    }
}
