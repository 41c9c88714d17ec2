import Glibc
import Synchronization

/// Ends turns of the loop that take too long.
///
/// libcurl does not return while a server sends frames of HTTP/2 without data, or while a proxy
/// sends the body of its refusal of a tunnel; it asks for no permission to go on either. A thread
/// of its own then shuts the connections down.
final class Watchdog: Sendable {
    /// The time between two examinations, in seconds.
    private static let interval: UInt32 = 1

    private struct State {
        /// The begin of the current turn; nil between turns.
        var turn: ContinuousClock.Instant?
        var sockets: Set<CInt> = []
    }

    private let limit: Duration
    private let state = Mutex(State())

    /// - Parameter limit: The time that a turn may take, in seconds.
    init(limit: Double) {
        self.limit = .seconds(limit)
    }

    /// Starts the thread, which lives as long as the process.
    func start() {
        let retained = unsafe Unmanaged.passRetained(self)
        var thread = pthread_t()
        let code = unsafe pthread_create(
            &thread, nil,
            { argument in
                guard let argument = unsafe argument else { return nil }
                let watchdog = unsafe Unmanaged<Watchdog>.fromOpaque(argument).takeRetainedValue()
                while true {
                    sleep(Watchdog.interval)
                    watchdog.examine()
                }
            }, retained.toOpaque())
        if code == 0 { pthread_detach(thread) } else { unsafe retained.release() }
    }

    func beginTurn() { state.withLock { $0.turn = .now } }

    func endTurn() { state.withLock { $0.turn = nil } }

    func note(opened socket: CInt) { state.withLock { _ = $0.sockets.insert(socket) } }

    /// Closes a socket, so that its number cannot be shut down once it belongs to another.
    func close(_ socket: CInt) -> CInt {
        state.withLock { state in
            state.sockets.remove(socket)
            return Glibc.close(socket)
        }
    }

    private func examine() {
        state.withLock { state in
            guard let turn = state.turn, .now - turn > limit else { return }
            // Any of them may be the cause.
            for socket in state.sockets { shutdown(socket, CInt(SHUT_RDWR)) }
        }
    }
}
