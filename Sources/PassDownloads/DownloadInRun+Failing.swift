import Fetching
import Foundation
import PassStore

/// Failed and postponed downloads.
extension DownloadInRun {
    /// How often a damaged download is repeated from the start.
    private static let mostNewStarts = 1

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

    func wait(until: Date, for error: DownloadError, _ patience: Double) {
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
