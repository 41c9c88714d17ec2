internal import Logging
internal import PassService
internal import Synchronization

/// Warns of pushes that this service cannot send, once for each pass type.
final class UnsendablePushes: Sendable {
    private let store: ServiceStore
    private let sender: PushSender?
    private let logger: Logger
    private let known = Mutex<Set<String>>([])

    /// - Parameter sender: Nil for a service that does not push.
    init(_ store: ServiceStore, _ sender: PushSender?, _ logger: Logger) {
        self.store = store
        self.sender = sender
        self.logger = logger
    }

    func warn() async {
        // Requests report that the database is away.
        guard let types = try? await store.pendingPushTypes() else { return }
        for type in types where sender?.hasCredential(for: type) != true {
            guard known.withLock({ $0.insert(type).inserted }) else { continue }
            logger.warning(
                "pushes wait for a service with a push certificate",
                metadata: ["passType": "\(type)"])
        }
    }
}
