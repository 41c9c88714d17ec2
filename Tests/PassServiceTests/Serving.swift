import Bytes
import Foundation
import Hummingbird
import Logging
import PassFixtures
import ServiceLifecycle

@testable import PassService

/// A server on loopback, which stops when the test ends.
struct Serving {
    let port: Int
    let connections: OpenConnections
    let group: ServiceGroup

    static func run<Outcome>(
        _ responder: ServiceResponder, limits: ServiceLimits = ServiceLimits(),
        _ body: (Serving) async throws -> Outcome
    ) async throws -> Outcome {
        let (ports, started) = AsyncStream<Int>.makeStream()
        let connections = OpenConnections()
        var logger = Logger(label: "tests")
        logger.logLevel = .critical
        let application = Application(
            responder: responder,
            server: .passService(limits: limits, connections: connections),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { started.yield($0.localAddress?.port ?? 0) }, logger: logger)
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(services: [application], logger: logger))
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                defer { started.finish() }
                try await group.run()
            }
            guard let port = await ports.first(where: { _ in true }) else {
                try await tasks.waitForAll()
                throw CancellationError()
            }
            let serving = Serving(port: port, connections: connections, group: group)
            let outcome = try await body(serving)
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            return outcome
        }
    }

    /// Waits up to ten seconds for a number of open connections.
    func has(connections count: Int) async throws -> Bool {
        let deadline = ContinuousClock.now + .seconds(10)
        while connections.count != count {
            guard .now < deadline else { return false }
            try await Task.sleep(for: .milliseconds(10))
        }
        return true
    }

    /// Runs a script beside the tests, and returns its output.
    func ask(_ script: String, _ arguments: String..., input: [UInt8] = []) async throws -> JSON {
        try await ask(script, arguments: arguments, input: input)
    }

    func ask(_ script: String, arguments: [String], input: [UInt8] = []) async throws -> JSON {
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: script)
        let output = try await run(["python3", "-B", path.path] + arguments, input: input)
        let object = try JSONSerialization.jsonObject(with: Data(output)) as? [String: Any]
        return JSON(object: object ?? [:])
    }

    /// Runs a program, and returns its output.
    func run(_ arguments: [String], input: [UInt8] = []) async throws -> [UInt8] {
        // On its own thread: the threads for tasks are few, and the server needs them.
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result { try PassFixtures.run(arguments, input: input) })
            }
        }
    }
}

/// An object in JSON.
struct JSON: @unchecked Sendable {
    // Nothing changes the values that JSONSerialization creates.
    let object: [String: Any]

    func number(_ key: String) -> Double { (object[key] as? NSNumber)?.doubleValue ?? .nan }
    func flag(_ key: String) -> Bool { object[key] as? Bool == true }
    func text(_ key: String) -> String? { object[key] as? String }
}
