import Bytes
import Dispatch
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import PassFixtures
import PassModel
import PassSigning
import PassVerification
import Synchronization
import Testing

@testable import PassService

@Suite("The pass of a row is signed once, at its first request")
struct TemplateSignerTests {
    private let issuer: Issuer
    private let template: PublishedTemplate
    private let ticket = Issuer.identity("E4")

    init() throws {
        issuer = try Issuer()
        template = try PublishedTemplate(Issuer.template)
    }

    private func signer(_ store: ServiceStore) throws -> TemplateSigner {
        let signer = try issuer.signer()
        return TemplateSigner(store) { _ in signer }
    }

    /// The contents of a pass, as Python reads them.
    private static func facts(_ bytes: [UInt8]) throws -> String {
        let program = """
            import hashlib, io, json, sys, zipfile
            file = sys.stdin.buffer.read()
            archive = zipfile.ZipFile(io.BytesIO(file))
            contents = json.loads(archive.read("pass.json"))
            manifest = json.loads(archive.read("manifest.json"))
            assert all(hashlib.sha1(archive.read(name)).hexdigest() == manifest[name]
                for name in archive.namelist() if name not in ("manifest.json", "signature"))
            print(contents["serialNumber"], contents["generic"]["primaryFields"][0]["value"],
                contents.get("voided"), len(manifest), hashlib.sha256(file).hexdigest())
            """
        return String(decoding: try run(["python3", "-c", program], input: bytes), as: UTF8.self)
    }

    @Test("all responses for a version have the same bytes", arguments: Backend.here)
    func once(backend: Backend) async throws {
        let place = try StorePlace(backend)
        let store = try await place.open()
        _ = try await store.publish([Issuer.row("E4")], of: template)
        // The signers of two servers.
        let signers = [try signer(store), try signer(try await place.open())]
        let ticket = ticket
        let answers = try await withThrowingTaskGroup(of: [UInt8]?.self) { group in
            for number in 0..<20 {
                group.addTask { try await signers[number % 2].file(of: ticket)?.bytes }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(answers.count == 1)
        let bytes = try #require(answers.first ?? nil)
        let pass = try #require(try await store.file(of: ticket))
        #expect(pass.bytes == bytes)
        #expect(pass.pass.size == bytes.count)
        let sha256 = try #require(pass.pass.sha256)
        #expect(try Self.facts(bytes) == "E4 7 None 3 \(sha256)\n")
        #expect(pass.pass.tag == 1)
    }

    @Test("a pass contains all changes made before it is signed", arguments: Backend.here)
    func changes(backend: Backend) async throws {
        let store = try await StorePlace(backend).open()
        let signer = try signer(store)
        let images = try fixtureFolder()
        try Data(Issuer.png(90, 90)).write(to: images.appending(path: "ana.png"))
        let row = Issuer.row("E4", ["thumbnail.png": "ana.png"])
        _ = try await store.publish([row], of: template, images: try ImageFolder(images))
        func facts() async throws -> String {
            let bytes = try #require(try await signer.file(of: ticket)).bytes
            return String(try Self.facts(bytes).prefix { $0 != "\n" }.dropLast(65))
        }
        #expect(try await facts() == "E4 7 None 4")
        _ = try await store.update(ticket, setting: ["gate": "8"])
        #expect(try await facts() == "E4 8 None 4")
        _ = try await store.void(ticket)
        #expect(try await facts() == "E4 8 True 4")
        _ = try await store.publish([Issuer.row("E4")], of: template)
        #expect(try await facts() == "E4 7 True 3")
        _ = try await store.update(ticket, setting: ["voided": "false"])
        #expect(try await facts() == "E4 7 None 3")
        #expect(try await signer.file(of: Issuer.identity("E5")) == nil)
    }

    @Test("a pass published as a file is returned unchanged")
    func file() async throws {
        let store = try await StorePlace().open()
        let pass = try issuer.pass("E4")
        try await store.publish(pass)
        #expect(try await signer(store).file(of: ticket)?.bytes == pass.octets.array())
    }

    @Test("an expired certificate signs nothing, and a new one is used without a restart")
    func expired() async throws {
        let store = try await StorePlace().open()
        _ = try await store.publish([Issuer.row("E4")], of: template)
        let (expired, valid) = (try issuer.signer { $0.days = 1 }, try issuer.signer())
        let isRenewed = Mutex(false)
        let signer = TemplateSigner(store) { passType in
            #expect(passType == PassMaker.type)
            return isRenewed.withLock { $0 } ? valid : expired
        }
        await #expect {
            try await signer.file(of: ticket)
        } throws: { error in
            guard case ServiceError.cannotSign(ticket, .notTrusted) = error else { return false }
            return true
        }
        #expect(try await store.pass(ticket)?.sha256 == nil)
        isRenewed.withLock { $0 = true }
        #expect(try await signer.file(of: ticket) != nil)
    }

    private struct NoKey: Error {}

    @Test("a version that is replaced while it is queued is not signed")
    func queued() async throws {
        let store = try await StorePlace().open()
        _ = try await store.publish([Issuer.row("E4"), Issuer.row("E5")], of: template)
        let openings = Mutex(0)
        let gate = DispatchSemaphore(value: 0)
        let signer = TemplateSigner(store, workers: 1) { _ in
            openings.withLock { $0 += 1 }
            _ = gate.wait(timeout: .now() + 10)
            throw NoKey()
        }
        let (first, second) = (ticket, Issuer.identity("E5"))
        let refused = Task { try await signer.file(of: first) }
        while openings.withLock({ $0 }) == 0 { try await Task.sleep(for: .milliseconds(5)) }
        let replaced = Task { try await signer.file(of: second) }
        try await Task.sleep(for: .milliseconds(100))
        let file = try issuer.pass("E5")
        try await store.publish(file)
        gate.signal()
        await #expect(
            throws: ServiceError.noSigner(passType: PassMaker.type, message: "NoKey()")
        ) { try await refused.value }
        #expect(try await replaced.value?.bytes == file.octets.array())
        #expect(openings.withLock { $0 } == 1)
    }

    @Test("waiting for an agent or a token does not block other tasks")
    func opening() async throws {
        let store = try await StorePlace().open()
        _ = try await store.publish([Issuer.row("E4")], of: template)
        let signer = try issuer.signer()
        let openings = Mutex(0)
        let gate = DispatchSemaphore(value: 0)
        let ticket = ticket
        let count = ProcessInfo.processInfo.activeProcessorCount
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<count {
                let signer = TemplateSigner(store) { _ in
                    openings.withLock { $0 += 1 }
                    guard gate.wait(timeout: .now() + 10) == .success else { throw NoKey() }
                    return signer
                }
                group.addTask { try await signer.file(of: ticket) != nil }
            }
            while openings.withLock({ $0 }) < count {
                try await Task.sleep(for: .milliseconds(5))
            }
            for _ in 0..<count { gate.signal() }
            for try await isSigned in group { #expect(isSigned) }
        }
    }

    @Test("the routes for devices sign on demand, and respond with 503 if that fails")
    func routes() async throws {
        let store = try await StorePlace().open()
        _ = try await store.publish(
            [Issuer.row("E4")], of: template, at: Date(timeIntervalSince1970: 784_111_777))
        let signer = try issuer.signer()
        let hasKey = Mutex(false)
        let responder = ServiceResponder(
            store,
            signer: TemplateSigner(store) { _ in
                guard hasKey.withLock({ $0 }) else { throw NoKey() }
                return signer
            })
        func ask(
            _ method: HTTPRequest.Method, _ headers: HTTPFields = [:]
        ) async throws -> TestResponse {
            var headers = headers
            headers[.authorization] = "ApplePass \(Issuer.token)"
            let fields = headers
            return try await Application(responder: responder).test(.router) { client in
                try await client.execute(
                    uri: "/v1/passes/\(PassMaker.type)/E4", method: method, headers: fields)
            }
        }
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        for (method, headers, status) in [
            (HTTPRequest.Method.get, HTTPFields(), HTTPResponse.Status.serviceUnavailable),
            (.head, [:], .serviceUnavailable),
            (.get, [.ifNoneMatch: "\"0\""], .serviceUnavailable),
            // Answered without signing.
            (.get, [.ifModifiedSince: date], .notModified),
        ] {
            let answer = try await ask(method, headers)
            #expect(answer.status == status)
            #expect(answer.body.readableBytes == 0)
            #expect(answer.headers[.eTag] == nil)
        }
        hasKey.withLock { $0 = true }
        let head = try await ask(.head)
        let get = try await ask(.get)
        let bytes = Array(get.body.readableBytesView)
        let sha256 = try Self.facts(bytes).suffix(65).dropLast()
        for answer in [head, get] {
            #expect(answer.status == .ok)
            #expect(answer.headers[.eTag] == "\"\(sha256)\"")
            #expect(answer.headers[.lastModified] == date)
            #expect(answer.headers[.contentLength] == "\(bytes.count)")
        }
        #expect(head.body.readableBytes == 0)
        #expect(try await ask(.get, [.ifNoneMatch: "\"\(sha256)\""]).status == .notModified)
        // The previous version is not served in place of the new one.
        _ = try await store.update(ticket, setting: ["gate": "8"])
        let broken = ServiceResponder(store, signer: TemplateSigner(store) { _ in throw NoKey() })
        for responder in [broken, ServiceResponder(store)] {
            let answer = try await Application(responder: responder).test(.router) { client in
                try await client.execute(
                    uri: "/v1/passes/\(PassMaker.type)/E4", method: .get,
                    headers: [.authorization: "ApplePass \(Issuer.token)"])
            }
            #expect(answer.status == .serviceUnavailable)
        }
    }
}
