import Fetching
import PassDownloads
import PassStore

/// The connections to the event streams of services, one for each host (passconduit-events(7)).
struct StreamConnections {
    enum News: Sendable {
        case changed([ListKey])
        /// The service has no registration of this device.
        case unknownDevice(EventService)
        /// The connection failed; reported at most once an hour for each host.
        case failed(EventService, FetchFailure)
    }

    /// The maximum number of connections.
    private static let most = 200
    /// The maximum number of bytes received on a connection.
    private static let longest = 4 << 20
    /// The time without a line after which a proxy is assumed to hold the stream back.
    private static let longestSilence = Duration.seconds(10)
    /// The shortest time between two polls.
    private static let pollSpacing = Duration.milliseconds(500)
    /// The time for which long polling replaces the stream, and after which a stream that a service
    /// refused is opened again.
    private static let longPause = Duration.seconds(3600)

    private let process: FetchProcess
    private let terms: FetchTerms
    /// The maximum time that a poll waits, in seconds.
    private let pollSeconds: Int
    private var streams: [String: Stream] = [:]
    private var nextID: Int64 = 0

    private struct Stream {
        enum Connection {
            case none(next: ContinuousClock.Instant)
            case open(id: Int64, since: ContinuousClock.Instant)
        }

        var followed: FollowedService
        var tag: String?
        var connection: Connection
        var backoff = StreamBackoff()
        var parser = EventStreamParser()
        /// The body of a poll.
        var text = ""
        var hasResponse = false
        var hasLine = false
        /// When a failure was reported last.
        var reportedAt: ContinuousClock.Instant?
        /// The number of connections in a row without a response.
        var stalls = 0
        /// The time until which long polling replaces the stream.
        var pollsUntil: ContinuousClock.Instant?

        var id: Int64? { if case .open(let id, _) = connection { id } else { nil } }
    }

    /// - Parameter idleTimeout: The time after which a silent connection ends, in seconds.
    init(_ process: FetchProcess, _ terms: FetchTerms, idleTimeout: Double) {
        self.process = process
        var terms = terms
        terms.maximumSize = StreamConnections.longest
        self.terms = terms
        pollSeconds = Int(min(max(idleTimeout / 2, 1), 25))
    }

    /// Follows these services and no others.
    mutating func follow(_ services: [FollowedService], at now: ContinuousClock.Instant) throws {
        let services = services.prefix(StreamConnections.most)
        let wanted = Set(services.map(\.service.host))
        for (host, stream) in streams where !wanted.contains(host) {
            if let id = stream.id { try process.send(.cancel(id)) }
            streams[host] = nil
        }
        for followed in services {
            let host = followed.service.host
            if let stream = streams[host], stream.followed.service.isSame(as: followed.service) {
                streams[host]?.followed = followed
                if stream.tag == nil { streams[host]?.tag = followed.tag }
            } else {
                if let id = streams[host]?.id { try process.send(.cancel(id)) }
                streams[host] = Stream(
                    followed: followed, tag: followed.tag,
                    connection: Stream.Connection.none(next: now))
            }
        }
        try openDue(at: now)
    }

    /// Opens connections that are due, and ends those that a proxy holds back.
    mutating func tick(at now: ContinuousClock.Instant) throws {
        for (host, stream) in streams {
            guard case .open(let id, let start) = stream.connection else { continue }
            guard stream.pollsUntil == nil, stream.hasResponse, !stream.hasLine,
                now - start > StreamConnections.longestSilence
            else { continue }
            try process.send(.cancel(id))
            poll(host, at: now)
        }
        try openDue(at: now)
    }

    /// Closes the open connections and opens them again, since the computer was suspended.
    mutating func openAgain(at now: ContinuousClock.Instant) throws {
        for (host, stream) in streams {
            guard let id = stream.id else { continue }
            try process.send(.cancel(id))
            streams[host]?.backoff = StreamBackoff()
            streams[host]?.connection = Stream.Connection.none(next: now)
        }
        try openDue(at: now)
    }

    mutating func take(_ event: FetchEvent, at now: ContinuousClock.Instant) throws -> News? {
        guard let host = streams.first(where: { $0.value.id == event.id })?.key,
            let stream = streams[host]
        else { return nil }
        switch event {
        case .response(_, let response):
            streams[host]?.hasResponse = true
            streams[host]?.stalls = 0
            let type = response.contentType?.lowercased() ?? ""
            guard stream.pollsUntil == nil, !type.hasPrefix("text/event-stream") else { return nil }
            try process.send(.cancel(event.id))
            poll(host, at: now)
            return nil
        case .line(_, let line):
            streams[host]?.hasLine = true
            guard stream.pollsUntil == nil else {
                streams[host]?.text += line
                return nil
            }
            guard let event = streams[host]?.parser.take(line), event.event == "changes" else {
                return nil
            }
            return ChangesEvent(json: event.data.utf8).flatMap { take(changes: $0, host) }
        case .finished:
            return finish(host, at: now)
        case .failed(_, let failure): return fail(host, failure, at: now)
        case .progress, .notModified, .answered: return nil
        }
    }

    private mutating func take(changes: ChangesEvent, _ host: String) -> News? {
        guard let stream = streams[host] else { return nil }
        if let tag = changes.lastUpdated { streams[host]?.tag = tag }
        let service = stream.followed.service
        // The run knows which of these types are registered.
        let keys = changes.passTypeIdentifiers.map { ListKey(service, $0) }
        return keys.isEmpty ? nil : .changed(keys)
    }

    /// The server has ended the stream, or has answered the poll.
    private mutating func finish(_ host: String, at now: ContinuousClock.Instant) -> News? {
        guard let stream = streams[host] else { return nil }
        guard stream.pollsUntil != nil, let changes = ChangesEvent(json: stream.text.utf8) else {
            wait(host, at: now)
            return nil
        }
        let news = take(changes: changes, host)
        if news != nil, streams[host]?.tag == stream.tag {
            // The next response would be the same.
            wait(host, at: now)
        } else if news != nil {
            streams[host]?.backoff = StreamBackoff()
            streams[host]?.connection = Stream.Connection.none(
                next: now + StreamConnections.pollSpacing)
        } else if case .open(_, let start) = stream.connection,
            now - start < .seconds(pollSeconds) / 2
        {
            // The server answers polls without waiting for a change.
            wait(host, at: now)
        } else {
            streams[host]?.backoff = StreamBackoff()
            streams[host]?.connection = Stream.Connection.none(next: now)
        }
        return news
    }

    private mutating func fail(
        _ host: String, _ failure: FetchFailure, at now: ContinuousClock.Instant
    ) -> News? {
        guard let stream = streams[host] else { return nil }
        switch failure.status {
        case 204:
            wait(host, at: now, atLeast: .seconds(60))
            return .unknownDevice(stream.followed.service)
        case 401, 403, 404, 405, 406, 410, 501:
            streams[host]?.connection = Stream.Connection.none(
                next: now + StreamConnections.longPause)
        case nil where failure.code == .size && isSteady(stream, at: now):
            // The comments of a long stream reach the maximum size; this is no failure.
            wait(host, at: now)
            return nil
        default:
            let isStalled = failure.code == .timeout && !stream.hasResponse
            streams[host]?.stalls = isStalled ? stream.stalls + 1 : 0
            if isStalled, stream.stalls > 0, stream.pollsUntil == nil {
                poll(host, at: now)
            } else {
                wait(host, at: now, retryAfter: failure.retryAfter)
            }
        }
        if let time = stream.reportedAt, now - time < StreamConnections.longPause { return nil }
        streams[host]?.reportedAt = now
        return .failed(stream.followed.service, failure)
    }

    private func isSteady(_ stream: Stream, at now: ContinuousClock.Instant) -> Bool {
        guard case .open(_, let start) = stream.connection else { return false }
        return now - start > .seconds(3600)
    }

    /// Uses long polling for a time.
    private mutating func poll(_ host: String, at now: ContinuousClock.Instant) {
        streams[host]?.pollsUntil = now + StreamConnections.longPause
        streams[host]?.connection = Stream.Connection.none(next: now)
    }

    private mutating func wait(
        _ host: String, at now: ContinuousClock.Instant, retryAfter: Double? = nil,
        atLeast shortest: Duration = .zero
    ) {
        guard var stream = streams[host] else { return }
        let lifetime: Duration =
            if case .open(_, let start) = stream.connection { now - start } else { .zero }
        let delay = Duration.seconds(
            stream.backoff.delay(
                afterStreamOf: lifetime, retryAfter: retryAfter, chance: .random(in: 0...1)))
        let asked = Duration.seconds(min(stream.parser.retry ?? 0, 3600))
        stream.connection = .none(next: now + max(delay, shortest, asked))
        streams[host] = stream
    }

    private mutating func openDue(at now: ContinuousClock.Instant) throws {
        for (host, stream) in streams {
            guard case .none(let next) = stream.connection, next <= now else { continue }
            try open(host, at: now)
        }
    }

    private mutating func open(_ host: String, at now: ContinuousClock.Instant) throws {
        guard var stream = streams[host] else { return }
        if let end = stream.pollsUntil, end <= now { stream.pollsUntil = nil }
        let service = stream.followed.service
        let isPoll = stream.pollsUntil != nil
        let url =
            isPoll
            ? ServiceURL.poll(since: stream.tag, seconds: pollSeconds, at: service)
            : ServiceURL.events(at: service)
        var request = FetchRequest(id: nextID, url: url, file: "events-\(nextID)", terms)
        request.isStream = true
        request.staysAtOrigin = true
        request.accept = isPoll ? "application/json" : "text/event-stream"
        if !isPoll, let tag = stream.tag, tag.utf8.allSatisfy({ $0 < 0x7F }) {
            request.lastEventID = tag
        }
        try process.send(.get(request))
        stream.connection = .open(id: nextID, since: now)
        stream.parser = EventStreamParser()
        stream.text = ""
        (stream.hasResponse, stream.hasLine) = (false, false)
        streams[host] = stream
        nextID += 1
    }
}
