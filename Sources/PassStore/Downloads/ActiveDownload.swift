internal import Bytes
package import Foundation
internal import Synchronization

/// A download that this process works on, until it says what came of it or lets it go; where the
/// process ends before, however it does, the download is waiting.
///
/// The index is written to when something has to last: what a server said is kept with the first
/// progress or the end, whichever comes first, so that a small body costs one transaction.
package final class ActiveDownload: Sendable {
    package let id: Int64
    private let queue: DownloadQueue
    private let state: Mutex<State>
    private let file: Mutex<DownloadFile?>

    /// From how many bytes on it is worth a transaction that a killed process leaves word of how to go on.
    private static let large = 1 << 20

    private struct State {
        var download: Download
        /// What the index says of where to go on.
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

    /// The name of its file in the queue's folder. Whoever writes into it locks its second byte
    /// (F_OFD_SETLK) before it changes anything there, and keeps the file that has this name.
    package var fileName: String { DownloadFile.name(of: id) }

    /// What is known of it; its `receivedContentLength` is where to go on.
    package var download: Download { state.withLock { $0.download } }

    /// Notes what a server says of the body that it begins to send.
    package func noteResponse(
        url: String, contentType: String?, contentDisposition: String?, validator: String?,
        expectedContentLength: Int?, offset: Int
    ) throws(LibraryError) {
        let isOutdated = state.withLock { state in
            state.download.url = url
            // A rest need not say again what it is the rest of (RFC 9110, 15.3.7).
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
        // What is in the file now must never be taken for the beginning of the other body. None at
        // all is harmless: then it is fetched from its start, which is nothing much where it is small.
        if isOutdated { try save { _ in } }
    }

    /// Notes how far it is: for others to see, and so that it can go on from here. Each time is a
    /// transaction that waits for the disk.
    ///
    /// - Returns: What others want of it: `active`, or that it was paused or cancelled meanwhile.
    @discardableResult
    package func noteProgress(
        received: Int, timeRemaining: Duration?
    ) throws(LibraryError) -> Download.State {
        try save(isVital: false) {
            $0.receivedContentLength = received
            $0.timeRemaining = timeRemaining
        }.state
    }

    /// Lets it go, to be tried again later. What came of it stays.
    ///
    /// - Parameter attempts: How many have failed since it last got on, this one with them.
    package func wait(
        for error: DownloadError, until: Date, attempts: Int
    ) throws(LibraryError) {
        try end {
            $0.error = error
            $0.attempts = attempts
            if !$0.state.isEnded { $0.nextAttempt = until }
        }
    }

    /// It cannot be fetched, and is not tried again.
    package func fail(_ error: DownloadError) throws(LibraryError) {
        try end {
            $0.error = error
            $0.attempts += 1
            $0.nextAttempt = nil
            if !$0.state.isEnded { $0.state = .failed }
        }
    }

    /// Its passes are durably in the library, or were refused for good: whatever others wanted of it
    /// meanwhile, that is done.
    package func finish(outcome: String) throws(LibraryError) {
        try end {
            $0.error = nil
            $0.nextAttempt = nil
            $0.state = .finished
            $0.outcome = outcome
        }
    }

    /// Lets it go, to be gone on with by anybody at any time.
    package func release() throws(LibraryError) {
        try end { _ in }
    }

    /// Forgets what came so far. Nobody may be writing it.
    package func startOver() throws(LibraryError) {
        // An empty file goes on from nowhere, whatever the index says of it.
        try queue.writing(queue.path(of: id)) { () throws(FileError) in
            try file.withLock { file throws(FileError) in try file?.empty() }
        }
        state.withLock { state in
            state.download.receivedContentLength = 0
            state.download.validator = nil
            state.download.wasResumed = false
        }
    }

    /// Notes what became of it and lets the file go: first the row, then the file, then the lock.
    private func end(_ body: (inout Download) -> Void) throws(LibraryError) {
        let size = file.withLock { $0?.size ?? 0 }
        let download = try save {
            $0.receivedContentLength = size
            $0.timeRemaining = nil
            body(&$0)
        }
        file.withLock { file in
            // One that cannot be removed now is swept another time.
            if download.state.isEnded || size == 0 { try? file?.remove() }
            file = nil
        }
    }

    /// Writes what is known here, and reads what others want of it.
    ///
    /// A row that is gone is put back: who forgets rows leaves those that are worked on alone, so the
    /// index lost it.
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
