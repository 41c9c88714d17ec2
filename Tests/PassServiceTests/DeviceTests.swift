import Bytes
import Foundation
import Hummingbird
import HummingbirdTesting
import PassFixtures
import PassService
import Testing

@Suite("A device written from Apple's description installs a pass and learns about its update")
struct DeviceTests {
    @Test("over HTTP on loopback", arguments: Backend.here)
    func overLoopback(backend: Backend) async throws {
        let issuer = try Issuer()
        let store = try await StorePlace(backend).open()
        try await store.publish(issuer.pass("E4", gate: "7"))
        let application = Application(responder: ServiceResponder(store, prefix: "/wallet"))
        try await application.test(.live) { client in
            let port = try #require(client.port)
            let memory = try await Self.device("install", port)
            #expect(try await store.status().registrations == 1)
            try await store.publish(issuer.pass("E4", gate: "8"))
            _ = try await Self.device("update", port, input: memory)
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
        return try await Task.detached { try run(arguments, input: input) }.value
    }
}
