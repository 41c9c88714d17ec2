internal import Logging
internal import PassService
internal import Synchronization

/// Warns once for each pass type with pushes that this service cannot send and no other server has
/// claimed.
final class UnsendablePushes: Sendable {
    private let store: ServiceStore
    private let sender: PushSender?
    private let logger: Logger
    private let state = Mutex(State())

    private struct State {
        /// The pass types with unclaimed pushes at the previous check.
        var last: Set<String> = []
        var warned: Set<String> = []
    }

    /// - Parameter sender: Nil for a service that does not push.
    init(_ store: ServiceStore, _ sender: PushSender?, _ logger: Logger) {
        self.store = store
        self.sender = sender
        self.logger = logger
    }

    func warn() async {
        // A failing database is logged with the requests that need it.
        guard let types = try? await store.unclaimedPushTypes() else { return }
        let new = state.withLock { state in
            defer { state.last = types }
            let waiting = types.intersection(state.last).subtracting(state.warned).filter { type in
                sender?.hasCredential(for: type) != true
            }
            state.warned.formUnion(waiting)
            return waiting
        }
        for type in new.sorted() {
            logger.warning(
                "pushes wait for a service with a push certificate",
                metadata: ["passType": "\(type)"])
        }
    }
}
