internal import NIOCore
internal import ServiceLifecycle
internal import Synchronization

/// An open event stream, or a waiting poll. It counts as open until its last reference is released.
///
/// Changes that a slow reader has not received yet are stored as a set of pass types, so memory is
/// bounded.
final class EventStream: Sendable {
    enum Event: Sendable, Equatable {
        case changes(ChangedTypes)
        /// There was no change within the given time.
        case silence
        /// The device opened a newer stream, or the connection or the server ends.
        case end

        var changes: ChangedTypes? {
            guard case .changes(let changes) = self else { return nil }
            return changes
        }
    }

    private struct State {
        /// Changes up to this tag have been added.
        var tag: Int64
        var types: Set<String> = []
        var isEnded = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    /// The device's library identifier, which is a secret.
    let device: String
    private let state: Mutex<State>
    private let onClose: @Sendable () -> Void

    init(_ device: String, at tag: Int64, onClose: @escaping @Sendable () -> Void) {
        self.device = device
        state = Mutex(State(tag: tag))
        self.onClose = onClose
    }

    deinit {
        onClose()
    }

    /// The tag of the last change that was added to the stream.
    var tag: Int64 { state.withLock(\.tag) }

    /// Adds the pass types with changes after ``tag``.
    ///
    /// - Parameters:
    ///   - changes: The tag of the last change of each pass type.
    ///   - tag: The tag of the last change in the store. If it is lower than that of the stream, the
    ///     database was replaced by an older one: the stream ends, and its client opens a new one.
    func add(_ changes: [String: Int64], upTo tag: Int64) {
        let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if tag < state.tag { state.isEnded = true }
            for (type, change) in changes where change > state.tag { state.types.insert(type) }
            state.tag = max(state.tag, tag)
            return state.types.isEmpty && !state.isEnded ? nil : state.waiting.take()
        }
        waiting?.resume()
    }

    func end() {
        state.withLock { state in
            state.isEnded = true
            return state.waiting.take()
        }?.resume()
    }

    /// Waits for the next event. Only one task at a time may wait. A shutdown of the server ends the
    /// stream.
    func next(within time: TimeAmount, on eventLoop: any EventLoop) async -> Event {
        let timer = eventLoop.scheduleTask(in: time) { [weak self] in
            self?.state.withLock { $0.waiting.take() }?.resume()
        }
        defer { timer.cancel() }
        await withTaskCancellationOrGracefulShutdownHandler {
            await wait()
        } onCancelOrGracefulShutdown: {
            self.end()
        }
        return state.withLock { state in
            guard state.types.isEmpty else {
                defer { state.types = [] }
                return .changes(ChangedTypes(types: state.types, tag: state.tag))
            }
            return state.isEnded ? .end : .silence
        }
    }

    private func wait() async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if state.isEnded || !state.types.isEmpty { return true }
                state.waiting = continuation
                return false
            }
            if isReady { continuation.resume() }
        }
    }
}
