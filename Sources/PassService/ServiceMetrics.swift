internal import Synchronization

/// Counts answered requests since the start, for monitoring.
package final class ServiceMetrics: Sendable {
    /// A group of requests that are counted together. The number of groups is bounded: all other
    /// paths and methods are counted as `other`.
    package struct Group: Hashable, Sendable {
        package let route: String
        package let method: String
        package let status: Int
    }

    /// The times from a request to its answer.
    package struct Latency: Sendable {
        /// The number of answers in each interval between ``ServiceMetrics/bounds``, and the number
        /// of answers above the last bound.
        package var counts = [Int](repeating: 0, count: bounds.count + 1)
        /// The sum of all times, in seconds.
        package var sum = 0.0
    }

    package struct Snapshot: Sendable {
        package var requests: [Group: Int] = [:]
        package var latencies: [String: Latency] = [:]
    }

    /// The upper bounds of the histogram, in seconds.
    package static let bounds = [
        0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]

    private let counts = Mutex(Snapshot())

    package var snapshot: Snapshot { counts.withLock(\.self) }

    func count(_ group: Group, took time: Duration) {
        let (seconds, attoseconds) = time.components
        let value = Double(seconds) + Double(attoseconds) / 1e18
        let bucket = Self.bounds.firstIndex { value <= $0 } ?? Self.bounds.count
        counts.withLock { counts in
            counts.requests[group, default: 0] += 1
            counts.latencies[group.route, default: Latency()].counts[bucket] += 1
            counts.latencies[group.route, default: Latency()].sum += value
        }
    }
}
