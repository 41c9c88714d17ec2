internal import NIOCore
internal import Synchronization

/// Limits the requests of each client with a token bucket, which holds `burst` requests and refills
/// at `perMinute`.
///
/// Memory use does not depend on the number of clients. Each client maps to one bucket in each of
/// four tables, by a hash that changes with each start, and its fullest bucket counts, as in a
/// count-min sketch (Cormode and Muthukrishnan, 2005). Clients that share a bucket can only make a
/// limit stricter, and no number of addresses empties a bucket.
final class RateLimit: Sendable {
    private static let tables = 4
    private static let slots = 16_384
    /// Nanoseconds per request.
    private let interval: Int64
    /// How far a client may be ahead of its rate, in nanoseconds.
    private let tolerance: Int64
    /// The time at which each bucket will be full: the "theoretical arrival time" of the generic
    /// cell rate algorithm (ITU-T I.371, annex A).
    private let fullAt = Mutex([Int64](repeating: 0, count: tables * slots))

    /// Nil for no limit.
    init?(perMinute: Int, burst: Int) {
        guard perMinute > 0 else { return nil }
        interval = max(60_000_000_000 / Int64(perMinute), 1)
        tolerance = interval * Int64(min(max(burst, 1), 1_000_000) - 1)
    }

    /// Counts a request.
    ///
    /// - Returns: Nil if the request is within the limit. Otherwise the request is not counted, and
    ///   the result is the time until the next one is allowed, in seconds.
    func admit(_ client: ClientAddress, at now: NIODeadline = .now()) -> Int64? {
        let (now, buckets) = (Int64(clamping: now.uptimeNanoseconds), Self.buckets(of: client))
        return fullAt.withLock { fullAt in
            let time = max(buckets.map { fullAt[$0] }.min() ?? 0, now)
            if let wait = wait(time, now) { return wait }
            for bucket in buckets { fullAt[bucket] = max(fullAt[bucket], time + interval) }
            return nil
        }
    }

    /// The time until a request is allowed, in seconds; nil if it is allowed now.
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
