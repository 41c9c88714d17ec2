package import Fetching
package import Platform

/// The requests in progress: several in total, few per host.
package final class FetchWindow {
    package struct Limits: Sendable {
        package var requests = 8
        package var requestsToHost = 4

        package init() {}
    }

    private let process: FetchProcess
    private let limits: Limits
    private var signals: AsyncStream<FetchProcess.Signal>.Iterator
    /// The hosts of the requests in progress, by request ID.
    private var hosts: [Int64: String] = [:]
    private var requestsToHost: [String: Int] = [:]

    package init(_ process: FetchProcess, _ limits: Limits = Limits()) {
        self.process = process
        self.limits = limits
        signals = process.signals.makeAsyncIterator()
    }

    package var isEmpty: Bool { hosts.isEmpty }
    package var hasRoom: Bool { hosts.count < limits.requests }

    /// Whether another request may be sent to this host.
    package func hasRoom(for host: String) -> Bool {
        hasRoom && requestsToHost[host, default: 0] < limits.requestsToHost
    }

    package func start(_ request: FetchRequest, to host: String) throws(FileError) {
        try process.send(.get(request))
        hosts[request.id] = host
        requestsToHost[host, default: 0] += 1
    }

    /// Cancels all requests.
    package func cancelAll() throws(FileError) {
        for id in Array(hosts.keys) { try cancel(id) }
    }

    package func cancel(_ id: Int64) throws(FileError) {
        leave(id)
        try process.send(.cancel(id))
    }

    /// The next signal; nil if the program has ended.
    package func next() async -> FetchProcess.Signal? {
        while let signal = await signals.next(isolation: #isolation) {
            guard case .event(let event) = signal else { return signal }
            // Ignore late events of cancelled requests.
            guard hosts[event.id] != nil else { continue }
            switch event {
            case .finished, .notModified, .answered, .failed: leave(event.id)
            case .response, .progress: break
            }
            return signal
        }
        return nil
    }

    private func leave(_ id: Int64) {
        guard let host = hosts.removeValue(forKey: id) else { return }
        requestsToHost[host, default: 1] -= 1
        if requestsToHost[host] == 0 { requestsToHost[host] = nil }
    }
}
