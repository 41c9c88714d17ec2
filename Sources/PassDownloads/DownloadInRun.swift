import Bytes
import Fetching
import Foundation
import PassStore

/// A download, as far as the run at hand has got with it.
final class DownloadInRun {
    enum Phase {
        case ready
        case waiting(until: ContinuousClock.Instant)
        case fetching
        case fetched
        case absent(DownloadRun.Absence)
    }

    /// How often the queue is told how far it is.
    private static let pause = Duration.seconds(1)
    /// How long to wait for another to let it go.
    private static let patience = Duration.seconds(3)

    var download: Download
    var phase = Phase.ready
    var active: ActiveDownload?
    /// Whether the body that is here was not sent at once.
    var isPiecedTogether = false
    let host: String
    var response: FetchResponse?
    var received = 0
    /// How much there was at the most.
    var farthest = 0
    /// How many attempts failed in this run.
    var failures = 0
    var newStarts = 0
    private var rate = TransferRate()
    private var noted = ContinuousClock.now
    /// Until when to wait for another to let it go.
    private var heldUntil: ContinuousClock.Instant?

    init(_ download: Download, patience: Double) {
        self.download = download
        host = URLComponents(string: download.contentURL)?.host?.lowercased().streamSafe ?? ""
        // Where the clock was ahead when that was said, nothing is known of the time to wait for.
        if let time = download.nextAttempt, let error = download.error, download.updatedAt <= .now {
            wait(until: time, for: error, patience)
        }
    }

    var id: Int64 { download.id }

    /// Whether it may still come.
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

    /// What a person sees of it while it comes.
    var shown: DownloadProgress? {
        guard isFetching else { return nil }
        return DownloadProgress(
            url: download.contentURL, received: received, expected: response?.size,
            timeRemaining: rate.timeRemaining(to: response?.size))
    }

    /// Makes it this process's; nil where there is nothing to be fetched.
    func begin(
        in queue: DownloadQueue, on terms: (Download) -> FetchTerms
    ) throws -> FetchRequest? {
        guard let active = try active ?? queue.begin(id) else {
            download = try queue.download(id) ?? download
            // Who writes into its file may not have stopped yet.
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
            // Its server may not have it any more.
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

    /// - Parameter received: In bytes; nil where that is not new.
    /// - Returns: Whether others stopped it.
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

    /// Lets go what others stopped, once nothing is written to its file any more.
    func release() throws {
        try active?.release()
        active = nil
    }

    /// Why there is nothing to be fetched.
    private var absence: DownloadRun.Absence {
        switch download.state {
        case .paused: .paused
        case .cancelled: .cancelled
        case .waiting, .active: .elsewhere
        case .finished: .finished(outcome: download.outcome)
        case .failed:
            .failed(download.error ?? DownloadError(code: "ended", detail: "it failed"))
        }
    }
}
