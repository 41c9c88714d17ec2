import Databases
import FakeAPNs
import Foundation
import Glibc
import PassFixtures
import PassModel
import PassVerification
import Testing

@testable import PassService

@Suite("A killed service loses no push")
struct PushTests {
    private let folder: URL
    private let maker: PassMaker
    private let verifier: PassVerifier
    private let server: Certificate
    private let client: String

    init() throws {
        folder = try fixtureFolder()
        maker = try PassMaker()
        let authority = try [UInt8](Data(contentsOf: URL(filePath: maker.authority)))
        verifier = PassVerifier(anchors: try TrustAnchors(certificates: [authority]))
        server = try ServerAuthority.certificate(
            hosts: ["DNS:localhost"], commonName: "APNs on Loopback", by: .authority, from: nil)
        // Apple's certificates are valid for signing passes and for TLS clients.
        let certificate = try CertificateRecipe.signer(of: PassMaker.type, team: PassMaker.team)
            .changed { $0.extensions[1] = "extendedKeyUsage=clientAuth,1.2.840.113635.100.4.14" }
            .make()
        let files = [certificate.path, maker.authority, certificate.keyPath]
        let pem = try files.map { try Data(contentsOf: URL(filePath: $0)) }.reduce(Data(), +)
        client = folder.appending(path: "push.pem").path
        try pem.write(to: URL(filePath: client))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: client)
    }

    private func pass(_ gate: Int) throws -> VerifiedPass {
        var recipe = PassRecipe("E4")
        recipe.fields = [PassRecipe.Field("gate", "\(gate)")]
        recipe.authenticationToken = "vxwxd7J8AlNNFPS8k0a0FfUFtq0ewzFdc"
        return try #require(verifier.verify([UInt8](maker.make(recipe))).verified)
    }

    private func service(_ store: String, _ port: Int) throws -> RunningService {
        try RunningService(
            store, "--push-certificate", client, "--apns", "localhost:\(port)", "--apns-root",
            ServerAuthority.path)
    }

    private func wait(_ seconds: Double, until isDone: () async throws -> Bool) async throws {
        let end = Date.now + seconds
        while try await !isDone(), Date.now < end { try await Task.sleep(for: .milliseconds(50)) }
        #expect(try await isDone())
    }

    private var configuration: FakeAPNs.Configuration {
        get throws {
            FakeAPNs.Configuration(
                certificate: server.path, key: server.keyPath,
                clients: .certified(by: maker.authority))
        }
    }

    @Test("the next service pushes a change that was published while none was running")
    func later() async throws {
        let path = folder.appending(path: "store").path
        let store = try await ServiceStore(at: URL(filePath: path))
        let first = try pass(1)
        try await store.publish(first)
        _ = try await store.register("d1", pushToken: "0a", for: first.pass.identity)
        try await FakeAPNs.run(configuration) { apns in
            do {
                let running = try service(path, apns.port)
                #expect(running.end(SIGKILL) == nil)
            }
            for gate in 2...4 { try await store.publish(pass(gate)) }
            let running = try service(path, apns.port)
            try await wait(20) { try await store.status().deliveredPushes == 1 }
            #expect(apns.pushes.map(\.path) == ["/3/device/0a"])
            #expect(apns.pushes.first?.headers["apns-topic"] == PassMaker.type)
            #expect(apns.pushes.first.map { String(decoding: $0.body, as: UTF8.self) } == "{}")
            // A running service pushes a change soon.
            try await store.publish(pass(5))
            try await wait(10) { apns.pushes.count == 2 }
            #expect(running.end() == 0)
        }
    }

    @Test("each device gets its push, whenever the service is killed", .tags(.repeats))
    func kills() async throws {
        let path = folder.appending(path: "store").path
        let store = try await ServiceStore(at: URL(filePath: path))
        let first = try pass(0)
        try await store.publish(first)
        let tokens = (0..<500).map { "\(10_000 + $0)" }
        for token in tokens {
            _ = try await store.register(token, pushToken: token, for: first.pass.identity)
        }
        for round in 1...rounds(20, least: 2) {
            try await FakeAPNs.run(configuration) { apns in
                try await store.publish(pass(round))
                do {
                    let running = try service(path, apns.port)
                    try await Task.sleep(for: .milliseconds(.random(in: 0...400)))
                    #expect(running.end(SIGKILL) == nil)
                }
                // Let the leases of the killed service expire.
                try await store.write { db in try db.rows("UPDATE outbox SET due = 0") }
                let running = try service(path, apns.port)
                try await wait(30) { try await store.status().pendingPushes == 0 }
                #expect(Set(apns.pushes.map(\.token)) == Set(tokens))
                #expect(running.end() == 0)
            }
        }
    }
}
