internal import Logging
internal import NIOCore
internal import Synchronization

/// Logs each kind of message at most once per minute: during a database outage, every request
/// fails.
final class OncePerMinute: Sendable {
    private struct Last {
        let time: NIODeadline
        var unlogged = 0
    }
    /// The last message of each kind. The number of kinds is bounded.
    private let last = Mutex<[String: Last]>([:])

    /// - Parameter kind: The kind of the message; nil to use its text.
    func log(
        _ level: Logger.Level, _ message: Logger.Message, kind: String? = nil,
        error: (any Error)? = nil, metadata: Logger.Metadata = [:], to logger: Logger,
        at now: NIODeadline = .now()
    ) {
        let kind = kind ?? "\(message)"
        let unlogged: Int? = last.withLock { last in
            if let known = last[kind], now < known.time + .minutes(1) {
                last[kind]?.unlogged += 1
                return nil
            }
            return last.updateValue(Last(time: now), forKey: kind)?.unlogged ?? 0
        }
        guard let unlogged else { return }
        var metadata = metadata
        if unlogged > 0 { metadata["unlogged"] = "\(unlogged)" }
        logger.log(level: level, message, error: error, metadata: metadata)
    }

    func log(_ error: ServiceError, to logger: Logger, at now: NIODeadline = .now()) {
        // The name of the case, without its values.
        let kind = String("\(error)".prefix { $0 != "(" })
        log(.error, "failed", kind: kind, error: error, to: logger, at: now)
    }
}
