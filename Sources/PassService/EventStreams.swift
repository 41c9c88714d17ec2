internal import Logging
internal import Synchronization

/// The open event streams of a server.
///
/// While any stream is open, one task asks the store five times per second for the tag of the last
/// change. After a change, one query finds the changed pass types of all devices with a stream.
final class EventStreams: Sendable {
    private static let interval = Duration.milliseconds(200)
    private static let backOff = BackOff(first: 0.5, cap: 5)

    private struct Entry {
        weak var stream: EventStream?
        let number: Int
        let client: ClientAddress?
    }
    private struct State {
        /// The newest stream of each device.
        var current: [String: Entry] = [:]
        /// The number of streams, including older ones that have not ended yet.
        var count = 0
        var ofClients: [ClientAddress: Int] = [:]
        /// The number of streams opened so far.
        var last = 0
        var isPolling = false
    }

    private let store: ServiceStore
    private let limits: ServiceLimits
    private let rareLog: OncePerMinute
    private let state = Mutex(State())

    init(_ store: ServiceStore, _ limits: ServiceLimits, _ rareLog: OncePerMinute) {
        self.store = store
        self.limits = limits
        self.rareLog = rareLog
    }

    var count: Int { state.withLock(\.count) }

    /// Opens a stream, and ends an older one of the same device.
    ///
    /// - Parameter tag: The tag up to which the client knows all changes. The stream sends all
    ///   later changes.
    /// - Returns: Nil if too many streams are open.
    func open(
        _ device: String, for client: ClientAddress?, at tag: Int64, _ logger: Logger
    ) -> EventStream? {
        // Do not release a stream while holding the lock: the last release takes the lock.
        let (stream, older, isFirst) = state.withLock { state in
            let old = state.current[device]
            let older = old?.stream
            guard older != nil || state.count < limits.eventStreams else {
                return (nil as EventStream?, older, false)
            }
            if let client {
                let own = state.ofClients[client] ?? 0
                let isReplacing = older != nil && old?.client == client
                guard isReplacing || own < limits.clientEventStreams else {
                    return (nil, older, false)
                }
                state.ofClients[client] = own + 1
            }
            state.count += 1
            state.last += 1
            let number = state.last
            let stream = EventStream(device, at: tag) { self.closed(device, number, client) }
            state.current[device] = Entry(stream: stream, number: number, client: client)
            defer { state.isPolling = true }
            return (stream, older, !state.isPolling)
        }
        guard let stream else { return nil }
        older?.end()
        if isFirst { Task { await poll(logger) } }
        return stream
    }

    private func closed(_ device: String, _ number: Int, _ client: ClientAddress?) {
        state.withLock { state in
            state.count -= 1
            if state.current[device]?.number == number { state.current[device] = nil }
            guard let client, let own = state.ofClients[client] else { return }
            state.ofClients[client] = own > 1 ? own - 1 : nil
        }
    }

    /// Distributes changes until no stream is open.
    private func poll(_ logger: Logger) async {
        var failures = 0
        while let isFailure = await pollOnce(logger) {
            failures = isFailure ? failures + 1 : 0
            let pause =
                isFailure ? .seconds(Self.backOff.delay(after: failures)) : Self.interval
            try? await Task.sleep(for: pause)
        }
    }

    /// - Returns: Whether the store failed; nil if no stream is open.
    private func pollOnce(_ logger: Logger) async -> Bool? {
        let streams = state.withLock { state in
            let streams = state.current.values.compactMap(\.stream)
            state.isPolling = !streams.isEmpty
            return streams
        }
        guard let oldest = streams.map(\.tag).min() else { return nil }
        do throws(ServiceError) {
            let changes = try await store.changes(of: streams.map(\.device), since: oldest)
            for stream in streams {
                stream.add(changes.types[stream.device] ?? [:], upTo: changes.tag)
            }
            return false
        } catch {
            rareLog.log(error, to: logger)
            return true
        }
    }
}
