internal import ServiceLifecycle

/// Runs a closure at intervals until the service group shuts down.
struct RepeatedTask: Service {
    let interval: Duration
    let body: @Sendable () async -> Void

    init(every interval: Duration, _ body: @escaping @Sendable () async -> Void) {
        self.interval = interval
        self.body = body
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while (try? await Task.sleep(for: interval)) != nil { await body() }
        }
    }
}
