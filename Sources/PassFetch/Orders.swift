internal import Fetching
import Platform

/// Executes orders in one thread, and only one request at a time per file.
final class Orders {
    private let client: Client
    private let events: Events
    private var running: [Int64: Transfer] = [:]
    /// Requests whose file another request writes to, in order.
    private var waiting: [Transfer] = []
    private var isBeginning = false

    /// Nil without memory.
    init?(_ configuration: FetchConfiguration, in folder: String, _ events: Events) {
        let watchdog = Watchdog(limit: min(configuration.idleTimeout, 15))
        guard let loop = CurlLoop(watchdog) else { return nil }
        watchdog.start()
        client = Client(
            loop: loop, configuration: configuration, folder: folder,
            proxies: ProxyChoice(configuration.proxies), names: ProxiedNames())
        self.events = events
    }

    /// Executes the orders of a stream until its end.
    func carryOut(_ lines: consuming OrderLines) {
        while true {
            while let line = lines.next() { take(line) }
            if lines.isAtEnd { return }
            if client.loop.run(watching: lines.file, atMost: patience) { lines.readMore() }
            let now = ContinuousClock.now
            for transfer in running.values { transfer.examine(at: now) }
        }
    }

    /// The time between two looks at the clock, in milliseconds.
    private var patience: CInt {
        guard !running.isEmpty else { return 60_000 }
        return CInt(min(max(client.configuration.idleTimeout * 1000 / 30, 10), 500))
    }

    private func take(_ line: [UInt8]) {
        switch try? JSONLines.value(FetchOrder.self, from: line) {
        case .get(let request)?:
            cancel(request.id)
            begin(request)
        case .cancel(let id)?: cancel(id)
        case nil: Fetcher.say("passconduit-fetch: this is not an order, and is left out\n")
        }
    }

    private func begin(_ request: FetchRequest) {
        let transfer = Transfer(
            request, client, report: { [events] in events.send($0) },
            end: { [unowned self] event in
                running[request.id] = nil
                events.send(event)
                beginNext()
            })
        if isBusy(request) {
            waiting.append(transfer)
        } else {
            running[request.id] = transfer
            transfer.begin()
        }
    }

    /// Whether another request writes to the file of this one.
    private func isBusy(_ request: FetchRequest) -> Bool {
        request.writesFile
            && running.values.contains {
                $0.request.writesFile && $0.request.file == request.file
            }
    }

    private func cancel(_ id: Int64) {
        waiting.removeAll { $0.request.id == id }
        guard let transfer = running.removeValue(forKey: id) else { return }
        transfer.cancel()
        beginNext()
    }

    /// Begins the requests whose files are free.
    private func beginNext() {
        // A request that fails at once ends while it begins.
        guard !isBeginning else { return }
        isBeginning = true
        defer { isBeginning = false }
        while let index = waiting.firstIndex(where: { !isBusy($0.request) }) {
            let transfer = waiting.remove(at: index)
            running[transfer.request.id] = transfer
            transfer.begin()
        }
    }
}
