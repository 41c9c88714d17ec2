import Bytes
internal import Fetching
import NIOCore
import NIOPosix
import Synchronization

/// Executes orders: each request in its own task, and only one at a time per file.
final class Orders: Sendable {
    private struct Run {
        var number: Int
        var task: Task<Void, Never>
    }

    private struct State {
        var byID: [Int64: Run] = [:]
        /// The last run that writes to each file.
        var byFile: [String: Run] = [:]
    }

    private let state = Mutex(State())
    private let exchange: Exchange
    private let folder: String
    private let events: Events

    init(_ configuration: FetchConfiguration, in folder: String, _ events: Events) {
        // One thread for all connections; bodies are written where they are received.
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        exchange = Exchange(configuration, on: group.next())
        self.folder = folder
        self.events = events
    }

    func carryOut(_ order: FetchOrder) {
        switch order {
        case .get(let request): begin(request)
        case .cancel(let id): cancel(id)
        }
    }

    private func begin(_ request: FetchRequest) {
        cancel(request.id)
        let run = events.begin()
        state.withLock { state in
            let earlier = state.byFile[request.file]?.task
            let task = Task { [self] in
                await earlier?.value
                await fetch(request, run)
            }
            state.byID[request.id] = Run(number: run, task: task)
            state.byFile[request.file] = Run(number: run, task: task)
        }
    }

    private func fetch(_ request: FetchRequest, _ run: Int) async {
        let id = request.id
        let transfer = Transfer(request: request, exchange: exchange, folder: folder) {
            [events] progress in
            switch progress {
            case .response(let response): events.send(.response(id: id, response), of: run)
            case .received(let count): events.send(.progress(id: id, received: count), of: run)
            }
        }
        let last = Task.isCancelled ? nil : await transfer.run()
        state.withLock { state in
            if state.byID[id]?.number == run { state.byID[id] = nil }
            if state.byFile[request.file]?.number == run { state.byFile[request.file] = nil }
        }
        if let last { events.send(last, of: run, isLast: true) }
    }

    private func cancel(_ id: Int64) {
        let run = state.withLock { $0.byID.removeValue(forKey: id) }
        guard let run else { return }
        events.end(run.number)
        run.task.cancel()
    }
}
