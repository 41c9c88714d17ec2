import Fetching
import Foundation
import PassStore

/// What becomes of a download that does not come.
extension DownloadInRun {
    /// How often pieces that do not belong together are fetched again as a whole.
    private static let mostNewStarts = 1

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
        let chance = Double.random(in: 0...1)
        return keeps
            ? backoff.delayWithoutEnd(
                after: attempt, retryAfter: failure.retryAfter, chance: chance)
            : backoff.delay(after: attempt, retryAfter: failure.retryAfter, chance: chance)
    }

    /// What it held could not be taken in for now: the body stays.
    func postpone(_ error: DownloadError, _ backoff: Backoff) throws {
        let attempt = download.attempts + 1
        let until =
            Date.now
            + backoff.delayWithoutEnd(
                after: attempt, retryAfter: nil, chance: .random(in: 0...1))
        try active?.wait(for: error, until: until, attempts: attempt)
        end(.postponed(error, until: until))
    }

    /// Its server is to be left alone, and not only with what it said that of.
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
        guard newStarts <= DownloadInRun.mostNewStarts else {
            let error = DownloadError(
                code: FetchFailure.Code.cut.rawValue,
                detail: "the body is cut, and its pieces do not belong together")
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
    /// Whether it is about the way there, or about what a person allows: what came before is as good as it
    /// was.
    fileprivate var saysNothingOfTheBody: Bool {
        switch code {
        case .insecure, .dns, .address, .tls, .proxy, .file: true
        case .url, .connection, .status, .redirect, .timeout, .size, .cut, .http, .ended: false
        }
    }
}

extension DownloadError {
    init(_ failure: FetchFailure) {
        self.init(code: failure.code.rawValue, detail: failure.detail)
    }
}
