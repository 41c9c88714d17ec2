import Bytes
internal import Fetching
import Glibc
import Synchronization

/// Where events are written, a line each. Of a request that was cancelled, or that has ended, nothing is
/// written any more.
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

    /// - Returns: A number for one run of a request, whose own may come again.
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
            // Where it fails nobody listens any more.
            if (try? file.writeAll(line.span)) == nil { _exit(0) }
        }
    }
}
