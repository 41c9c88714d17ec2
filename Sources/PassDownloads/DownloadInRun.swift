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
    /// How often a damaged download is repeated from the start.
    private static let mostNewStarts = 1

    private(set) var download: Download
    private(set) var phase = Phase.ready
    private(set) var active: ActiveDownload?
    /// Whether the body was received in several responses.
    private(set) var isPiecedTogether = false
    let host: String
    private var response: FetchResponse?
    private(set) var received = 0
    /// The largest number of bytes received so far.
    private var farthest = 0
    /// The number of failed attempts in this run.
    private var failures = 0
    private var newStarts = 0
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

    func fail(_ failure: FetchFailure, _ limits: DownloadRun.Limits) throws {
        let error = DownloadError(failure)
        failures += 1
        // Progress resets the number of failures.
        let gotOn = response?.validator != nil && received > farthest
        farthest = max(farthest, received)
        let attempt = gotOn ? 1 : download.attempts + 1
        guard let delay = delay(after: failure, attempt, limits.backoff) else {
            try active?.fail(error)
            return end(.failed(error))
        }
        let until = Date.now + delay
        try active?.wait(for: error, until: until, attempts: attempt)
        active = nil
        // Limit the attempts in this run: a server may send only a few bytes each time.
        let goesOn = failure.isTransient && failures < limits.backoff.attempts
        guard goesOn else { return end(.postponed(error, until: until)) }
        wait(until: until, for: error, limits.patience)
    }

    /// The delay in seconds; nil to give up.
    private func delay(
        after failure: FetchFailure, _ attempt: Int, _ backoff: Backoff
    ) -> Double? {
        let keeps = failure.code == .file || failure.saysNothingOfTheBody && received > 0
        guard failure.isTransient || keeps else { return nil }
        let chance = Double.random(in: 0...1)
        return keeps
            ? backoff.delayWithoutEnd(
                after: attempt, retryAfter: failure.retryAfter, chance: chance)
            : backoff.delay(after: attempt, retryAfter: failure.retryAfter, chance: chance)
    }

    /// Postpones a download whose contents could not be imported now; keeps the body.
    func postpone(_ error: DownloadError, _ backoff: Backoff) throws {
        let attempt = download.attempts + 1
        let until =
            Date.now
            + backoff.delayWithoutEnd(
                after: attempt, retryAfter: nil, chance: .random(in: 0...1))
        try active?.wait(for: error, until: until, attempts: attempt)
        end(.postponed(error, until: until))
    }

    /// Postpones the download because its host asked clients to wait, possibly in response to
    /// another download.
    func leaveAlone(
        until: Date, for error: DownloadError, in queue: DownloadQueue, patience: Double
    ) throws {
        wait(until: until, for: error, patience)
        guard case .absent = phase, let active = try active ?? queue.begin(id) else { return }
        try active.wait(for: error, until: until, attempts: active.download.attempts)
        self.active = nil
    }

    private func wait(until: Date, for error: DownloadError, _ patience: Double) {
        let delay = until.timeIntervalSinceNow
        phase =
            delay <= patience
            ? .waiting(until: .now + .seconds(max(delay, 0)))
            : .absent(.postponed(error, until: until))
    }

    /// Postpones the download to another run, because this run can fetch nothing more.
    func leave(_ failure: FetchFailure) throws {
        let error = DownloadError(failure)
        if let active {
            try active.wait(for: error, until: .now, attempts: active.download.attempts + 1)
        }
        end(.postponed(error, until: .now))
    }

    /// Repeats the download from the start, once.
    func startOver() throws {
        newStarts += 1
        guard newStarts <= DownloadInRun.mostNewStarts else {
            let error = DownloadError(.mismatchedPieces)
            try active?.fail(error)
            return end(.failed(error))
        }
        try active?.startOver()
        isPiecedTogether = false
        farthest = 0
        phase = .ready
    }

    private func end(_ absence: DownloadRun.Absence) {
        active = nil
        phase = .absent(absence)
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

extension FetchFailure {
    /// Whether the failure concerns only the connection or permissions, so that bytes already
    /// received remain valid.
    fileprivate var saysNothingOfTheBody: Bool {
        switch code {
        case .insecure, .dns, .address, .tls, .proxy, .file: true
        case .url, .connection, .status, .redirect, .timeout, .size, .cut, .http, .ended: false
        }
    }
}
