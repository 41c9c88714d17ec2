import Bytes
import Fetching
import Foundation
import PassStore

/// The state of a download in the current run.
final class DownloadInRun {
    enum Phase {
        case ready
        case waiting(until: ContinuousClock.Instant)
        case fetching
        case fetched
        case absent(DownloadRun.Absence)
    }

    /// The interval at which progress is stored in the queue.
    private static let pause = Duration.seconds(1)
    /// How long to wait for another process to release it.
    private static let patience = Duration.seconds(3)

    var download: Download
    var phase = Phase.ready
    var active: ActiveDownload?
    /// Whether the body was received in several responses.
    var isPiecedTogether = false
    let host: String
    var response: FetchResponse?
    var received = 0
    /// The largest number of bytes received so far.
    var farthest = 0
    /// The number of failed attempts in this run.
    var failures = 0
    var newStarts = 0
    private var rate = TransferRate()
    private var noted = ContinuousClock.now
    /// The end of the wait for another process to release it.
    private var heldUntil: ContinuousClock.Instant?

    init(_ download: Download, patience: Double) {
        self.download = download
        host = URLComponents(string: download.contentURL)?.host?.lowercased().streamSafe ?? ""
        // Ignore a time stored while the clock was ahead.
        if let time = download.nextAttempt, let error = download.error, download.updatedAt <= .now {
            wait(until: time, for: error, patience)
        }
    }

    var id: Int64 { download.id }

    /// Whether it may still be fetched in this run.
    var isOpen: Bool {
        switch phase {
        case .ready, .waiting, .fetching: true
        case .fetched, .absent: false
        }
    }

    var isFetching: Bool { if case .fetching = phase { true } else { false } }

    var isDue: Bool {
        switch phase {
        case .ready: true
        case .waiting(let time): time <= .now
        case .fetching, .fetched, .absent: false
        }
    }

    /// The progress to display while it is fetched.
    var shown: DownloadProgress? {
        guard isFetching else { return nil }
        return DownloadProgress(
            url: download.contentURL, received: received, expected: response?.size,
            timeRemaining: rate.timeRemaining(to: response?.size))
    }

    /// Claims the download for this process; nil if there is nothing to fetch.
    func begin(
        in queue: DownloadQueue, on terms: (Download) -> FetchTerms
    ) throws -> FetchRequest? {
        guard let active = try active ?? queue.begin(id) else {
            download = try queue.download(id) ?? download
            // Its previous owner may still be writing.
            let until = heldUntil ?? .now + DownloadInRun.patience
            heldUntil = until
            let mayComeFree = download.state == .waiting || download.state == .active
            phase =
                mayComeFree && .now < until
                ? .waiting(until: .now + .milliseconds(200)) : .absent(absence)
            return nil
        }
        self.active = active
        heldUntil = nil
        let known = active.download
        download = known
        if known.isWhole {
            // The body is complete, and the server may no longer offer it.
            isPiecedTogether = known.wasResumed
            finish(known.receivedContentLength)
            return nil
        }
        var request = FetchRequest(
            id: id, url: known.contentURL, file: active.fileName, terms(known))
        if let validator = known.validator, known.receivedContentLength > 0 {
            request.resumption = FetchRequest.Resumption(
                offset: known.receivedContentLength, validator: validator,
                expectedSize: known.expectedContentLength)
        }
        phase = .fetching
        response = nil
        received = known.receivedContentLength
        farthest = max(farthest, received)
        return request
    }

    func note(_ response: FetchResponse) throws {
        self.response = response
        isPiecedTogether = response.offset > 0
        received = response.offset
        rate = TransferRate(from: response.offset)
        noted = .now
        try active?.noteResponse(
            url: response.url, contentType: response.contentType,
            contentDisposition: response.contentDisposition, validator: response.validator,
            expectedContentLength: response.size, offset: response.offset)
    }

    /// - Parameter received: The number of bytes received; nil if unchanged.
    /// - Returns: Whether another process paused or cancelled it.
    func note(received: Int?) throws -> Bool {
        if let received {
            self.received = received
            rate.note(received)
        }
        guard let active, ContinuousClock.now - noted >= DownloadInRun.pause else { return false }
        noted = .now
        let state = try active.noteProgress(
            received: self.received, timeRemaining: rate.timeRemaining(to: response?.size))
        guard state != .active else { return false }
        download = active.download
        phase = .absent(absence)
        return true
    }

    func finish(_ size: Int) {
        received = size
        if let active { download = active.download }
        phase = .fetched
    }

    /// Releases a paused or cancelled download once its file is no longer written to.
    func release() throws {
        try active?.release()
        active = nil
    }

    /// Why there is nothing to fetch.
    private var absence: DownloadRun.Absence {
        switch download.state {
        case .paused: .paused
        case .cancelled: .cancelled
        case .waiting, .active: .elsewhere
        case .finished: .finished
        case .failed:
            .failed(download.error ?? DownloadError(FetchFailure(.ended)))
        }
    }
}
