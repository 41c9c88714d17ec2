import Foundation

extension LoopbackServer {
    /// Everything that was asked so far.
    package var requests: [RecordedRequest] { record.requests }

    package func requests(for path: String) -> [RecordedRequest] {
        requests.filter { $0.path == path }
    }

    /// How many connections were made so far, those that asked nothing included.
    package var connections: Int { record.connections }

    package var openConnections: Int { record.openConnections }

    /// How many requests were answered at the same time at most.
    package var mostAtOnce: Int { requests.map(\.atOnce).max() ?? 0 }

    /// How much later each request came than the one before it.
    package func gaps(for path: String) -> [Duration] {
        let arrivals = requests(for: path).map(\.arrival)
        return zip(arrivals, arrivals.dropFirst()).map { $0.duration(to: $1) }
    }

    /// Waits until it is so; a minute at most.
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
