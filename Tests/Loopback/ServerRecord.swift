import HTTPTypes
import NIOCore
import Synchronization

/// The events on a server so far.
final class ServerRecord: Sendable {
    private struct State {
        var requests: [RecordedRequest] = []
        var running = 0
        var channels: [ObjectIdentifier: (channel: any Channel, number: Int)] = [:]
        var accepted = 0
        var isClosed = false
    }

    private let state = Mutex(State())

    var requests: [RecordedRequest] { state.withLock { $0.requests } }
    var connections: Int { state.withLock { $0.accepted } }
    var openConnections: Int { state.withLock { $0.channels.count } }

    func opened(_ channel: any Channel) {
        let identity = ObjectIdentifier(channel)
        let isClosed = state.withLock { state in
            state.channels[identity] = (channel, state.accepted)
            state.accepted += 1
            return state.isClosed
        }
        channel.closeFuture.whenComplete { _ in
            self.state.withLock { _ = $0.channels.removeValue(forKey: identity) }
        }
        if isClosed { channel.close(promise: nil) }
    }

    func began(
        _ head: HTTPRequest, _ body: [UInt8], on channel: any Channel
    ) -> RecordedRequest {
        state.withLock { state in
            state.running += 1
            var fields = head.headerFields.map { ($0.name.rawName, $0.value) }
            if let authority = head.authority { fields.insert(("Host", authority), at: 0) }
            // A stream of HTTP/2 has its own channel.
            let isStream = state.channels[ObjectIdentifier(channel)] == nil
            let connection = isStream ? channel.parent : channel
            let request = RecordedRequest(
                number: state.requests.count, method: head.method.rawValue,
                target: head.path ?? "", fields: fields, body: body, arrival: .now,
                connection: connection.flatMap { state.channels[ObjectIdentifier($0)]?.number }
                    ?? -1,
                isHTTP2: isStream, atOnce: state.running)
            state.requests.append(request)
            return request
        }
    }

    func note(_ number: Int, _ change: (inout RecordedRequest) -> Void) {
        state.withLock { change(&$0.requests[number]) }
    }

    func ended(_ number: Int) {
        state.withLock { state in
            state.running -= 1
            state.requests[number].end = .now
        }
    }

    /// Closes all current and future connections.
    func close() {
        let channels = state.withLock { state in
            state.isClosed = true
            return state.channels.values.map(\.channel)
        }
        for channel in channels { channel.close(promise: nil) }
    }
}
