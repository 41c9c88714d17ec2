internal import Bytes
package import Foundation
internal import Synchronization

/// A download claimed by this process until it records a result or releases it; if the process ends
/// before, the download is waiting again.
///
/// The index is written only for what must last: the response head is stored with the first
/// progress or the end, whichever comes first, so that a small body costs one transaction.
package final class ActiveDownload: Sendable {
    package let id: Int64
    private let queue: DownloadQueue
    private let state: Mutex<State>
    private let file: Mutex<DownloadFile?>

    /// The size from which it is worth a transaction to make a download resumable after a crash, in
    /// bytes.
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

    /// The name of its file in the queue's folder. A process that writes to the file locks its
    /// second byte (F_OFD_SETLK) first, and keeps the file under this name.
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
        // The file must never be taken for the beginning of another body. Without a validator, it
        // is fetched from the start, which is cheap for a small one.
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

    /// Releases the download to be tried again later. Keeps what was received.
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

    /// Records success: its passes are durably in the library, or were refused for good. Overrides
    /// a change of state by another process.
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

    /// Discards what was received. The file must not be open for writing.
    package func startOver() throws(LibraryError) {
        // An empty file is never resumed, whatever the index says.
        try queue.writing(queue.path(of: id)) { () throws(FileError) in
            try file.withLock { file throws(FileError) in try file?.empty() }
        }
        state.withLock { state in
            state.download.receivedContentLength = 0
            state.download.validator = nil
            state.download.wasResumed = false
        }
    }

    /// Records the result and releases the file: first the row, then the file, then the lock.
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
    /// A missing row is inserted again: rows of active downloads are never deleted, so the index
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
