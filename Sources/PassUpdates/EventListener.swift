import Fetching
import PassDownloads
import PassStore
import Platform
import Synchronization

/// Follows the event streams of services while another task updates passes.
final class EventListener: Sendable {
    private struct State {
        var streams: StreamConnections
        var suspensions = SuspensionDetector()
        var tickedAt = ContinuousClock.now
        var news: [StreamConnections.News] = []
    }

    private let process: FetchProcess
    private let state: Mutex<State>

    init(_ process: FetchProcess, _ terms: FetchTerms, idleTimeout: Double) {
        self.process = process
        state = Mutex(State(streams: StreamConnections(process, terms, idleTimeout: idleTimeout)))
    }

    /// Follows these services and no others.
    func follow(_ services: [FollowedService]) throws {
        try state.withLock { state in try state.streams.follow(services, at: .now) }
    }

    /// The news since the last call.
    func takeNews() -> [StreamConnections.News] {
        state.withLock { state in
            defer { state.news = [] }
            return state.news
        }
    }

    /// The wanted lists that have changed since the last call. Other lists and news remain for
    /// later calls.
    func takeChanges(where isWanted: (ListKey) -> Bool) -> [ListKey] {
        state.withLock { state in
            var (wanted, others): ([ListKey], [ListKey]) = ([], [])
            state.news.removeAll { news in
                guard case .changed(let keys) = news else { return false }
                for key in keys {
                    if isWanted(key) { wanted.append(key) } else { others.append(key) }
                }
                return true
            }
            if !others.isEmpty { state.news.append(.changed(others)) }
            return wanted
        }
    }

    /// Listens until passconduit-fetch ends.
    ///
    /// - Parameter wake: Called for news, and about once a second.
    func run(wake: () -> Void) async throws {
        for await signal in process.signals {
            let wakes = try state.withLock { state in
                let now = ContinuousClock.now
                if state.suspensions.suspension() != nil { try state.streams.openAgain(at: now) }
                var isNews = false
                if case .event(let event) = signal,
                    let news = try state.streams.take(event, at: now)
                {
                    // Limit memory: a server may send many events while passes are updated.
                    state.news.append(news)
                    state.news.merge()
                    isNews = true
                }
                // Do not rely on pauses: a server may send lines without any.
                guard now - state.tickedAt >= .seconds(1) else { return isNews }
                state.tickedAt = now
                try state.streams.tick(at: now)
                return true
            }
            if wakes { wake() }
        }
    }
}

extension Array where Element == StreamConnections.News {
    /// Merges all changes into one item, so that there are never more than a few for each service.
    fileprivate mutating func merge() {
        guard count > 1 else { return }
        var changed: Set<ListKey> = []
        var others: Self = []
        for news in self {
            switch news {
            case .changed(let keys): changed.formUnion(keys)
            case .unknownDevice(let service):
                let isKnown = others.contains {
                    if case .unknownDevice(service) = $0 { true } else { false }
                }
                if !isKnown { others.append(news) }
            case .failed: others = others.suffix(100) + [news]
            }
        }
        self = others
        if !changed.isEmpty { append(.changed(changed.prefix(mostKeys).map(\.self))) }
    }
}

/// The maximum number of lists that wait. A service may name any types, registered or not.
private let mostKeys = 1000
