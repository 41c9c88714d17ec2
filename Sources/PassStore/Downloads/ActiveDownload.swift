package import Foundation
internal import Platform
internal import Synchronization

/// A download claimed by this process until it records a result or releases the download. If the
/// process ends first, the download is waiting again.
///
/// Writes to the index only what must survive the process: the response head is stored with the
/// first progress or the end, whichever comes first, so that a small body costs one transaction.
package final class ActiveDownload: Sendable {
    package let id: Int64
    private let queue: DownloadQueue
    private let state: Mutex<State>
    private let file: Mutex<DownloadFile?>

    /// The size in bytes from which a download is made resumable after a crash, at the cost of a
    /// transaction.
    private static let large = 1 << 20

    private struct State {
        var download: Download
        /// The validator stored in the index.
        var keptValidator: String?
    }

    init(
        _ download: Download, _ file: consuming DownloadFile, keptValidator: String?,
        in queue: DownloadQueue
    ) {
        id = download.id
        self.queue = queue
        state = Mutex(State(download: download, keptValidator: keptValidator))
        self.file = Mutex(consume file)
    }

    /// The name of its file in the queue's folder. A process that writes to the file must first
    /// lock it (`DownloadLock`), and must not rename it.
    package var fileName: String { DownloadFile.name(of: id) }

    /// The state of the download; `receivedContentLength` is the offset to resume at.
    package var download: Download { state.withLock { $0.download } }

    /// Records the response head of the body.
    package func noteResponse(
        url: String, contentType: String?, contentDisposition: String?, validator: String?,
        expectedContentLength: Int?, offset: Int
    ) throws(LibraryError) {
        let isOutdated = state.withLock { state in
            state.download.url = url
            // A partial response need not repeat these fields (RFC 9110, 15.3.7).
            if offset == 0 || contentType != nil { state.download.contentType = contentType }
            if offset == 0 || contentDisposition != nil {
                state.download.contentDisposition = contentDisposition
            }
            state.download.validator = validator
            state.download.expectedContentLength = expectedContentLength
            state.download.receivedContentLength = offset
            state.download.wasResumed = offset > 0
            let isLarge = expectedContentLength ?? .max >= ActiveDownload.large
            return state.keptValidator != validator && (state.keptValidator != nil || isLarge)
        }
        // Replace the validator of an earlier body at once, so that this file is never resumed as
        // the beginning of that body. A file without a stored validator is fetched again from the
        // start, which is cheap for a small one.
        if isOutdated { try save { _ in } }
    }

    /// Records the progress, for display and so that the download can be resumed. Each call is a
    /// transaction that waits for the disk.
    ///
    /// - Returns: `active`, or the state that another process set: paused or cancelled.
    @discardableResult
    package func noteProgress(
        received: Int, timeRemaining: Duration?
    ) throws(LibraryError) -> Download.State {
        try save(isVital: false) {
            $0.receivedContentLength = received
            $0.timeRemaining = timeRemaining
        }.state
    }

    /// Releases the download, to be tried again later. Keeps the bytes received.
    ///
    /// - Parameter attempts: The number of failures since the last progress, including this one.
    package func wait(
        for error: DownloadError, until: Date, attempts: Int
    ) throws(LibraryError) {
        try end {
            $0.error = error
            $0.attempts = attempts
            if !$0.state.isEnded { $0.nextAttempt = until }
        }
    }

    /// Records a permanent failure.
    package func fail(_ error: DownloadError) throws(LibraryError) {
        try end {
            $0.error = error
            $0.attempts += 1
            $0.nextAttempt = nil
            if !$0.state.isEnded { $0.state = .failed }
        }
    }

    /// Records success: the passes of the download are durably in the library, or were refused for
    /// good. Overrides a change of state by another process.
    package func finish(outcome: String) throws(LibraryError) {
        try end {
            $0.error = nil
            $0.nextAttempt = nil
            $0.state = .finished
            $0.outcome = outcome
        }
    }

    /// Releases the download, so that any process may continue at any time.
    package func release() throws(LibraryError) {
        try end { _ in }
    }

    /// Discards the bytes received. The file must not be open for writing.
    package func startOver() throws(LibraryError) {
        // An empty file is never resumed, whatever the index contains.
        try queue.writing(queue.path(of: id)) { () throws(FileError) in
            try file.withLock { file throws(FileError) in try file?.empty() }
        }
        state.withLock { state in
            state.download.receivedContentLength = 0
            state.download.validator = nil
            state.download.wasResumed = false
        }
    }

    /// Records the result and releases the download: updates the row, then the file, then releases
    /// the lock.
    private func end(_ body: (inout Download) -> Void) throws(LibraryError) {
        let size = file.withLock { $0?.size ?? 0 }
        let download = try save {
            $0.receivedContentLength = size
            $0.timeRemaining = nil
            body(&$0)
        }
        file.withLock { file in
            // If it cannot be removed now, it is swept later.
            if download.state.isEnded || size == 0 { try? file?.remove() }
            file = nil
        }
    }

    /// Writes the state of this process, and reads the state set by others.
    ///
    /// Inserts a missing row again: rows of active downloads are never deleted, so the index has
    /// lost it.
    @discardableResult
    private func save(
        isVital: Bool = true, _ body: (inout Download) -> Void
    ) throws(LibraryError) -> Download {
        let mine = download
        let saved = try queue.change(isVital: isVital) { db in
            let kept = try DownloadRow.fetch(id, db)
            var row = DownloadRow(mine)
            row.download.state = kept?.state ?? .waiting
            row.download.nextAttempt = kept?.nextAttempt
            row.download.conditions = kept == nil ? mine.conditions : kept?.conditions
            row.download.updatedAt = .nowAsKept
            body(&row.download)
            try row.store(db)
            if row.download.state == .waiting { row.download.state = .active }
            return row.download
        }
        state.withLock { state in
            state.download = saved
            state.keptValidator = saved.validator
        }
        return saved
    }
}
