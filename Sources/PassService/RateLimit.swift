internal import NIOCore
internal import Synchronization

/// A bound on the requests of each client: a token bucket, which holds `burst` requests and gets
/// `perMinute` new ones.
///
/// The memory is the same for any number of clients. Each client has a bucket in each of four
/// tables, chosen by a hash that changes with each start, and the fullest of them counts, as in a
/// count-min sketch (Cormode and Muthukrishnan, 2005). Clients that share a bucket can only make a
/// limit stricter; no number of addresses empties a bucket.
final class RateLimit: Sendable {
    private static let tables = 4
    private static let slots = 16_384
    /// Nanoseconds per request.
    private let interval: Int64
    /// By how many nanoseconds a client may be ahead of its rate.
    private let tolerance: Int64
    /// For each bucket, when it will be full: the "theoretical arrival time" of the generic cell
    /// rate algorithm (ITU-T I.371, annex A).
    private let fullAt = Mutex([Int64](repeating: 0, count: tables * slots))

    /// Nil for no limit.
    init?(perMinute: Int, burst: Int) {
        guard perMinute > 0 else { return nil }
        interval = max(60_000_000_000 / Int64(perMinute), 1)
        tolerance = interval * Int64(min(max(burst, 1), 1_000_000) - 1)
    }

    /// Counts a request.
    ///
    /// - Returns: Nil if the request is within the limit; otherwise it is not counted, and the time
    ///   until the next one is, in seconds.
    func admit(_ client: ClientAddress, at now: NIODeadline = .now()) -> Int64? {
        let (now, buckets) = (Int64(clamping: now.uptimeNanoseconds), Self.buckets(of: client))
        return fullAt.withLock { fullAt in
            let time = max(buckets.map { fullAt[$0] }.min() ?? 0, now)
            if let wait = wait(time, now) { return wait }
            for bucket in buckets { fullAt[bucket] = max(fullAt[bucket], time + interval) }
            return nil
        }
    }

    /// The time until a request is within the limit, in seconds; nil if it is now.
    private func wait(_ time: Int64, _ now: Int64) -> Int64? {
        let ahead = time - now - tolerance
        return ahead > 0 ? (ahead - 1) / 1_000_000_000 + 1 : nil
    }

    private static func buckets(of client: ClientAddress) -> [Int] {
        (0..<tables).map { table in
            var hasher = Hasher()
            hasher.combine(table)
            hasher.combine(client)
            return table * slots + Int(UInt(bitPattern: hasher.finalize()) % UInt(slots))
        }
    }
}
