import Foundation

extension LoopbackServer {
    /// All requests so far.
    package var requests: [RecordedRequest] { record.requests }

    package func requests(for path: String) -> [RecordedRequest] {
        requests.filter { $0.path == path }
    }

    /// The number of connections so far, including those without a request.
    package var connections: Int { record.connections }

    package var openConnections: Int { record.openConnections }

    /// The largest number of requests that were answered at the same time.
    package var mostAtOnce: Int { requests.map(\.atOnce).max() ?? 0 }

    /// The time between each request and the one before it.
    package func gaps(for path: String) -> [Duration] {
        let arrivals = requests(for: path).map(\.arrival)
        return zip(arrivals, arrivals.dropFirst()).map { $0.duration(to: $1) }
    }

    /// Waits for a condition, at most a minute.
    package func waits(until isSo: ([RecordedRequest]) -> Bool) async throws {
        let limit = ContinuousClock.now.advanced(by: .seconds(60))
        while !isSo(requests) {
            guard ContinuousClock.now < limit else { throw NeverCame(requests: requests) }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    package struct NeverCame: Error {
        package let requests: [RecordedRequest]
    }
}
