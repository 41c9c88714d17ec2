internal import Logging
internal import NIOCore
internal import Synchronization

/// Logs messages once per minute and kind: while a database is away, each request fails.
final class OncePerMinute: Sendable {
    private struct Last {
        let time: NIODeadline
        var unlogged = 0
    }
    /// By kind, of which there is a bounded number.
    private let last = Mutex<[String: Last]>([:])

    /// - Parameter kind: Nil for the message itself.
    func log(
        _ level: Logger.Level, _ message: Logger.Message, kind: String? = nil,
        metadata: Logger.Metadata, to logger: Logger, at now: NIODeadline = .now()
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
        logger.log(level: level, message, metadata: metadata)
    }

    func log(_ error: ServiceError, to logger: Logger, at now: NIODeadline = .now()) {
        // The case without its values.
        let kind = String("\(error)".prefix { $0 != "(" })
        log(
            .error, "failed", kind: kind, metadata: ["error": "\(error)"], to: logger, at: now)
    }
}
