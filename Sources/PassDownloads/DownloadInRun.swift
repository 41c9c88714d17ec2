import Bytes
import Fetching
import Foundation
import PassStore

/// A download, as far as the run at hand has got with it.
final class DownloadInRun {
    enum Standing {
        case ready
        case waiting(until: ContinuousClock.Instant)
        case fetching
        case fetched
        case absent(DownloadRun.Absence)
    }

    /// How often the queue is told how far it is.
    private static let pause = Duration.seconds(1)
    /// How often pieces that do not belong together are fetched again as a whole.
    private static let newStarts = 1
    /// How long to wait for another to let it go.
    private static let patience = Duration.seconds(3)

    private(set) var download: Download
    private(set) var standing = Standing.ready
    private(set) var active: ActiveDownload?
    /// Whether the body that is here was not sent at once.
    private(set) var isPiecedTogether = false
    let host: String
    private var response: FetchResponse?
    private(set) var received = 0
    /// How much there was at the most.
    private var farthest = 0
    /// How many attempts failed in this run.
    private var failures = 0
    private var newStarts = 0
    private var rate = TransferRate()
    private var noted = ContinuousClock.now
    /// Until when to wait for another to let it go.
    private var heldUntil: ContinuousClock.Instant?

    init(_ download: Download, patience: Double) {
        self.download = download
        host = URLComponents(string: download.contentURL)?.host?.lowercased() ?? ""
        // Where the clock was ahead when that was said, nothing is known of the time to wait for.
        if let time = download.nextAttempt, let error = download.error, download.updatedAt <= .now {
            wait(until: time, for: error, patience)
        }
    }

    var id: Int64 { download.id }

    /// Whether it may still come.
    var isOpen: Bool {
        switch standing {
        case .ready, .waiting, .fetching: true
        case .fetched, .absent: false
        }
    }

    var isFetching: Bool { if case .fetching = standing { true } else { false } }

    var isDue: Bool {
        switch standing {
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
            standing =
                mayComeFree && .now < until
                ? .waiting(until: .now + .milliseconds(200)) : .absent(absence)
            return nil
        }
        self.active = active
        heldUntil = nil
        let known = active.download
        download = known
        var request = FetchRequest(
            id: id, url: known.contentURL, file: active.fileName, terms(known))
        if let validator = known.validator, known.receivedContentLength > 0 {
            request.resumption = FetchRequest.Resumption(
                offset: known.receivedContentLength, validator: validator)
        }
        standing = .fetching
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
        standing = .absent(absence)
        return true
    }

    func finish(_ size: Int) {
        received = size
        if let active { download = active.download }
        standing = .fetched
    }

    func fail(_ failure: FetchFailure, _ limits: DownloadRun.Limits) throws {
        let error = DownloadError(failure)
        failures += 1
        // Where it gets on, the count of failures begins anew.
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
        // What a server sends in ever so small pieces is not waited for in this run for ever.
        let goesOn = failure.isTransient && failures < limits.backoff.attempts
        guard goesOn else { return end(.postponed(error, until: until)) }
        wait(until: until, for: error, limits.patience)
    }

    /// In seconds; nil to give up.
    private func delay(
        after failure: FetchFailure, _ attempt: Int, _ backoff: Backoff
    ) -> Double? {
        let keeps = failure.code == .file || failure.saysNothingOfTheBody && received > 0
        guard failure.isTransient || keeps else { return nil }
        return backoff.delay(
            after: keeps ? min(attempt, backoff.attempts - 1) : attempt,
            retryAfter: failure.retryAfter, chance: .random(in: 0...1))
    }

    /// What it held could not be taken in for now: the body stays.
    func postpone(_ error: DownloadError, _ backoff: Backoff) throws {
        let attempt = download.attempts + 1
        let delay = backoff.delay(
            after: min(attempt, backoff.attempts - 1), retryAfter: nil,
            chance: .random(in: 0...1))
        let until = Date.now + (delay ?? backoff.longest)
        try active?.wait(for: error, until: until, attempts: attempt)
        end(.postponed(error, until: until))
    }

    /// Its server is to be left alone, and not only with what it said that of.
    func leaveAlone(
        until: Date, for error: DownloadError, in queue: DownloadQueue, patience: Double
    ) throws {
        wait(until: until, for: error, patience)
        guard case .absent = standing, let active = try active ?? queue.begin(id) else { return }
        try active.wait(for: error, until: until, attempts: active.download.attempts)
        self.active = nil
    }

    private func wait(until: Date, for error: DownloadError, _ patience: Double) {
        let delay = until.timeIntervalSinceNow
        standing =
            delay <= patience
            ? .waiting(until: .now + .seconds(max(delay, 0)))
            : .absent(.postponed(error, until: until))
    }

    /// Nobody fetches any more in this run.
    func leave(_ failure: FetchFailure) throws {
        let error = DownloadError(failure)
        if let active {
            try active.wait(for: error, until: .now, attempts: active.download.attempts + 1)
        }
        end(.postponed(error, until: .now))
    }

    /// Once more, as a whole, where that was not tried yet.
    func startOver() throws {
        newStarts += 1
        guard newStarts <= DownloadInRun.newStarts else {
            let error = DownloadError(
                code: FetchFailure.Code.cut.rawValue,
                detail: "the body is cut, and its pieces do not belong together")
            try active?.fail(error)
            return end(.failed(error))
        }
        try active?.startOver()
        isPiecedTogether = false
        farthest = 0
        standing = .ready
    }

    /// Lets go what others stopped, once nothing is written to its file any more.
    func release() throws {
        try active?.release()
        active = nil
    }

    private func end(_ absence: DownloadRun.Absence) {
        active = nil
        standing = .absent(absence)
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

extension FetchFailure {
    /// Whether it is about the way there, or about what a person allows: what came before is as good as it
    /// was.
    fileprivate var saysNothingOfTheBody: Bool {
        switch code {
        case .insecure, .dns, .address, .tls, .proxy, .size, .file: true
        case .url, .connection, .status, .redirect, .timeout, .cut, .http, .ended: false
        }
    }
}

extension DownloadError {
    init(_ failure: FetchFailure) {
        self.init(code: failure.code.rawValue, detail: failure.detail)
    }
}
