import Bytes
package import Fetching
package import Foundation
package import PassStore

/// Downloads that are gone through in their order: several come at a time, and each is handed over
/// when those before it were.
package final class DownloadRun {
    package struct Limits: Sendable {
        package var backoff = Backoff()
        /// How long to wait for what has to be tried again, in seconds; what has to wait longer is left
        /// for another run.
        package var patience = 5.0
        /// How many bodies may wait on the disk for those before them.
        package var ahead = 64
        /// How much may come of these before, in bytes; of the first, as much as there is.
        package var aheadSize = 2 << 30

        package init() {}
    }

    /// A body that is here in full.
    package struct Body: Sendable {
        package let download: Download
        package let path: String
        /// In bytes.
        package let size: Int
        /// Whether it was not sent at once: the pieces may not belong together.
        package let isPiecedTogether: Bool
    }

    /// What was made of a body.
    package enum Taken: Sendable {
        /// What it held is wherever it belongs, and durably; `next` is what it leads to.
        case settled(outcome: String, next: [DownloadRequest])
        /// The pieces do not belong together: it is fetched once more, as a whole.
        case damaged
        /// What it holds cannot be taken in for now.
        case postponed(DownloadError)
    }

    /// Why there is no body.
    package enum Absence: Sendable {
        case failed(DownloadError)
        /// It is tried again later, by another run.
        case postponed(DownloadError, until: Date)
        case paused
        case cancelled
        /// Another process fetches it.
        case elsewhere
        /// Another process did, and it was settled.
        case finished(outcome: String?)
    }

    private let queue: DownloadQueue
    private let window: FetchWindow
    private let limits: Limits
    private let terms: (Download) -> FetchTerms
    /// Those that were not handed over, in their order.
    private var entries: [DownloadInRun]
    /// The hosts that want to be left alone.
    private var busy: [String: (until: Date, error: DownloadError)] = [:]

    /// - Parameter terms: On which each is asked for.
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
    ///   - take: Is given each body in turn.
    ///   - miss: Is told of each that does not come.
    ///   - progress: Is told now and then of what is being fetched.
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
            // What is here is not asked for.
            if !entry.download.isWhole {
                guard try isReady(entry.host, for: entry), window.hasRoom(for: entry.host) else {
                    continue
                }
            }
            guard let request = try entry.begin(in: queue, on: terms) else { continue }
            // Nothing would be heard of an order that is too long to be read.
            if let refusal = FetchRequest.refusal(of: request.url) {
                try entry.fail(refusal, limits)
            } else {
                try window.start(request, to: entry.host)
            }
        }
    }

    /// How much of those that are not handed over is here, in bytes.
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
        case .notModified: try entry.fail(FetchFailure(.http, "the server sent no body"), limits)
        case .failed(_, let failure):
            if let delay = failure.retryAfter {
                busy[entry.host] = (.now + delay, DownloadError(failure))
            }
            try entry.fail(failure, limits)
        }
    }

    private func note(_ received: Int?, of entry: DownloadInRun) throws {
        // Others may have paused or cancelled it.
        guard try entry.note(received: received) else { return }
        try window.cancel(entry.id)
        try entry.release()
    }

    /// Nothing comes; what was said about what is being fetched may have changed.
    private func lookAround() throws {
        for entry in entries.suffix(limits.ahead) where entry.isFetching {
            try note(nil, of: entry)
        }
    }

    /// The program that fetches is gone, and nobody else fetches in this run.
    private func giveUp() throws {
        let failure = FetchFailure(
            .ended, "passconduit-fetch ended unexpectedly", isTransient: true)
        for entry in entries where entry.isOpen {
            // One of those that were on their way may have been its end, and would be again.
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
            // First these: whoever comes after a kill between the two finds them, and adds them once.
            let added = try queue.add(next, isWish: false).compactMap(\.self)
            try active.finish(outcome: outcome)
            entries.removeLast()
            let known = Set(entries.map(\.id))
            entries += added.reversed().filter { !known.contains($0.id) }
                .map { DownloadInRun($0, patience: limits.patience) }
        }
    }
}
