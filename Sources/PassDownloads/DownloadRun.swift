import Bytes
package import Fetching
package import Foundation
package import PassStore

/// Fetches downloads, several at a time, and hands over their bodies in order.
package final class DownloadRun {
    package struct Limits: Sendable {
        package var backoff = Backoff()
        /// The longest delay before another attempt in this run, in seconds. After a longer delay,
        /// another run tries again.
        package var patience = 5.0
        /// The number of bodies that may wait on disk for earlier ones.
        package var ahead = 64
        /// The total size of these bodies in bytes. The first body is not limited.
        package var aheadSize = 2 << 30

        package init() {}
    }

    /// A complete body.
    package struct Body: Sendable {
        package let download: Download
        package let path: String
        /// In bytes.
        package let size: Int
        /// Whether it was received in several responses, which may not fit together.
        package let isPiecedTogether: Bool
    }

    /// The result of handing over a body.
    package enum Taken: Sendable {
        /// The contents were durably processed; `next` are the downloads that they link to.
        case settled(DownloadOutcome, next: [DownloadRequest])
        /// The ranges of the body do not fit together, so it is fetched again from the start.
        case damaged
        /// The contents cannot be processed now.
        case postponed(DownloadError)
    }

    /// Why there is no body.
    package enum Absence: Sendable {
        case failed(DownloadError)
        /// Another run tries it again later.
        case postponed(DownloadError, until: Date)
        case paused
        case cancelled
        /// Another process is fetching it.
        case elsewhere
        /// Another process fetched and processed it.
        case finished
    }

    private let queue: DownloadQueue
    private let window: FetchWindow
    private let limits: Limits
    private let terms: (Download) -> FetchTerms
    /// The downloads not handed over yet, in order.
    private var entries: [DownloadInRun]
    /// The hosts that must not be contacted before a time.
    private var busy: [String: (until: Date, error: DownloadError)] = [:]

    /// - Parameter terms: Returns the terms of a download.
    package init(
        _ downloads: [Download], in queue: DownloadQueue, _ window: FetchWindow,
        _ limits: Limits = Limits(), on terms: @escaping (Download) -> FetchTerms
    ) {
        self.terms = terms
        self.queue = queue
        self.window = window
        self.limits = limits
        var known: Set<Int64> = []
        entries = downloads.filter { known.insert($0.id).inserted }.reversed()
            .map { DownloadInRun($0, patience: limits.patience) }
    }

    /// - Parameters:
    ///   - take: Called with each body, in order.
    ///   - miss: Called for each download without a body.
    ///   - progress: Called occasionally with the downloads in progress.
    package func run(
        take: (Body) async throws -> Taken, miss: (Download, Absence) throws -> Void,
        progress: ([DownloadProgress]) -> Void
    ) async throws {
        while let next = entries.last {
            try Task.checkCancellation()
            switch next.phase {
            case .fetched:
                try await handOver(next, take)
            case .absent(let absence):
                entries.removeLast()
                try miss(next.download, absence)
            case .ready, .waiting, .fetching:
                try startMore()
                guard next.isOpen else { continue }
                switch await window.next() {
                case .event(let event): try note(event)
                case .pause: try lookAround()
                case nil: try giveUp()
                }
                progress(entries.suffix(limits.ahead).reversed().compactMap(\.shown))
            }
        }
    }

    private func startMore() throws {
        for entry in entries.suffix(limits.ahead).reversed() where entry.isDue {
            guard window.hasRoom, entry === entries.last || aheadSize < limits.aheadSize else {
                return
            }
            // A complete body needs no request.
            if !entry.download.isWhole {
                guard try isReady(entry.host, for: entry), window.hasRoom(for: entry.host) else {
                    continue
                }
            }
            guard let request = try entry.begin(in: queue, on: terms) else { continue }
            // An oversized request would be ignored by passconduit-fetch.
            if let refusal = FetchRequest.refusal(of: request.url) {
                try entry.fail(refusal, limits)
            } else {
                try window.start(request, to: entry.host)
            }
        }
    }

    /// The number of bytes received of downloads not handed over yet.
    private var aheadSize: Int { entries.suffix(limits.ahead).reduce(0) { $0 + $1.received } }

    private func isReady(_ host: String, for entry: DownloadInRun) throws -> Bool {
        guard let (until, error) = busy[host] else { return true }
        if until <= .now {
            busy[host] = nil
            return true
        }
        try entry.leaveAlone(until: until, for: error, in: queue, patience: limits.patience)
        return false
    }

    private func note(_ event: FetchEvent) throws {
        guard let entry = entries.last(where: { $0.id == event.id }) else { return }
        switch event {
        case .response(_, let response): try entry.note(response)
        case .progress(_, let received): try note(received, of: entry)
        case .finished(_, let size): entry.finish(size)
        case .notModified, .answered: try entry.fail(FetchFailure(.noBody), limits)
        case .failed(_, let failure):
            if let delay = failure.retryAfter {
                busy[entry.host] = (.now + delay, DownloadError(failure))
            }
            try entry.fail(failure, limits)
        }
    }

    private func note(_ received: Int?, of entry: DownloadInRun) throws {
        // Another process may have paused or cancelled it.
        guard try entry.note(received: received) else { return }
        try window.cancel(entry.id)
        try entry.release()
    }

    /// Checks for changes by other processes while nothing is received.
    private func lookAround() throws {
        for entry in entries.suffix(limits.ahead) where entry.isFetching {
            try note(nil, of: entry)
        }
    }

    /// Ends the run because passconduit-fetch has ended.
    private func giveUp() throws {
        let failure = FetchFailure(.ended)
        for entry in entries where entry.isOpen {
            // A download in progress may have caused the crash, and could cause it again.
            if entry.isFetching { try entry.fail(failure, limits) }
            if entry.isOpen { try entry.leave(failure) }
        }
    }

    private func handOver(
        _ entry: DownloadInRun, _ take: (Body) async throws -> Taken
    ) async throws {
        guard let active = entry.active else { return }
        let path = "\(queue.folder)/\(active.fileName)"
        let body = Body(
            download: entry.download, path: path, size: entry.received,
            isPiecedTogether: entry.isPiecedTogether)
        switch try await take(body) {
        case .damaged:
            try entry.startOver()
        case .postponed(let error):
            try entry.postpone(error, limits.backoff)
        case .settled(let outcome, let next):
            // Add these first, so that they are not lost if the process is killed in between.
            let added = try queue.add(next, isWish: false).compactMap(\.self)
            try active.finish(outcome: outcome.json)
            entries.removeLast()
            let known = Set(entries.map(\.id))
            entries += added.reversed().filter { !known.contains($0.id) }
                .map { DownloadInRun($0, patience: limits.patience) }
        }
    }
}
