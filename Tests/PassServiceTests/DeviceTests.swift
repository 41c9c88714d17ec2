import Bytes
import Foundation
import Hummingbird
import HummingbirdTesting
import PassFixtures
import PassService
import Testing

@Suite("A device written from Apple's description installs a pass and learns about its update")
struct DeviceTests {
    @Test("from two servers that share a database", arguments: Backend.here)
    func overLoopback(backend: Backend) async throws {
        let issuer = try Issuer()
        let place = try StorePlace(backend)
        let (store, other) = (try await place.open(), try await place.open())
        try await store.publish(issuer.pass("E4", gate: "7"))
        let servers = [store, other].map {
            Application(responder: ServiceResponder($0, prefix: "/wallet"))
        }
        let memory = try await servers[0].test(.live) { client in
            try await Self.device("install", try #require(client.port))
        }
        #expect(try await store.status().registrations == 1)
        try await store.publish(issuer.pass("E4", gate: "8"))
        try await servers[1].test(.live) { client in
            _ = try await Self.device("update", try #require(client.port), input: memory)
        }
        #expect(try await store.status().registrations == 0)
        #expect(try await store.logLines().map(\.text) == ["updated to 2"])
    }

    private static func device(
        _ phase: String, _ port: Int, input: [UInt8] = []
    ) async throws -> [UInt8] {
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "device.py").path
        let arguments = [
            "python3", script, phase, "\(port)", PassMaker.type, "E4", Issuer.token,
        ]
        // Not in a task: the server needs the threads of tasks for its responses.
        return try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try run(arguments, input: input) })
            }
        }
    }
}
