internal import Logging
internal import NIOCore
internal import Synchronization

/// Logs errors of the store once per minute and kind: while a database is away, each request fails.
final class StoreFailures: Sendable {
    private struct Last {
        let time: NIODeadline
        var unlogged = 0
    }
    private let last = Mutex<[String: Last]>([:])

    func log(_ error: ServiceError, to logger: Logger, at now: NIODeadline = .now()) {
        // The case without its values, so there is a bounded number.
        let kind = String("\(error)".prefix { $0 != "(" })
        let unlogged: Int? = last.withLock { last in
            if let known = last[kind], now < known.time + .minutes(1) {
                last[kind]?.unlogged += 1
                return nil
            }
            return last.updateValue(Last(time: now), forKey: kind)?.unlogged ?? 0
        }
        guard let unlogged else { return }
        var metadata: Logger.Metadata = ["error": "\(error)"]
        if unlogged > 0 { metadata["unlogged"] = "\(unlogged)" }
        logger.error("failed", metadata: metadata)
    }
}

extension ServiceError {
    /// Whether the same request may succeed later, when the database is back.
    var isTemporary: Bool {
        switch self {
        case .locked, .unavailable: true
        default: false
        }
    }
}
