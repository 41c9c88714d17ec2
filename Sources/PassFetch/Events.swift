internal import Fetching
import Glibc
import Platform
import Synchronization

/// Writes events, one per line. Drops events of requests that were cancelled or have ended.
final class Events: Sendable {
    private struct State {
        var next = 0
        var open: Set<Int> = []
    }

    private let state = Mutex(State())
    private let file: FileDescriptor

    init(to file: FileDescriptor) {
        self.file = file
    }

    /// - Returns: A number for this run of a request, whose own ID may be reused.
    func begin() -> Int {
        state.withLock { state in
            state.next += 1
            state.open.insert(state.next)
            return state.next
        }
    }

    func end(_ run: Int) {
        state.withLock { state in _ = state.open.remove(run) }
    }

    func send(_ event: FetchEvent, of run: Int, isLast: Bool = false) {
        guard let line = try? JSONLines.line(event) else { return }
        state.withLock { state in
            guard state.open.contains(run) else { return }
            if isLast { state.open.remove(run) }
            // Exit, because the reader has ended.
            if (try? file.writeAll(line.span)) == nil { _exit(0) }
        }
    }
}
