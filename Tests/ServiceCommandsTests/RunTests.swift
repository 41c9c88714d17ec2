import ArgumentParser
import Bytes
import Foundation
import Glibc
import PassFixtures
import PassModel
import PassService
import PassVerification
import Testing

@testable import ServiceCommands

@Suite("passconduit-serve run serves until a signal, and keeps what it answered")
struct RunTests {
    private let store: String

    init() throws {
        store = try fixtureFolder().appending(path: "store").path
    }

    @Test("it ends with 0, and starts again with the same store", arguments: [SIGTERM, SIGINT])
    func signals(signal: Int32) throws {
        for round in 1...2 {
            let service = try RunningService(store, "--prefix", "/wallet")
            service.signal(SIGHUP)
            let body = #"{"logs": ["round \#(round)"]}"#
            let status = try run(
                [
                    "curl", "-s", "-w", "%{http_code}", "-d", body,
                    "http://127.0.0.1:\(service.port)/wallet/v1/log",
                ], input: [])
            #expect(String(streamSafe: status) == "200")
            #expect(service.end(signal) == 0)
        }
        let log = try run([serveProgram(), "log", "--store", store], input: [])
        let lines = String(streamSafe: log).split(separator: "\n")
        #expect(lines.map { $0.suffix(7) } == ["round 2", "round 1"])
    }

    @Test("the error names an address that is in use", arguments: ["--port", "--metrics-port"])
    func usedAddress(option: String) throws {
        let service = try RunningService(store)
        let program = try serveProgram()
        let failure = try #require(throws: ProgramFailure.self) {
            try run(
                [program, "run", "--store", store, "--port", "0", option, "\(service.port)"],
                input: [])
        }
        #expect(
            failure.message.contains(
                "passconduit-serve: http://127.0.0.1:\(service.port): address already in use"))
    }

    /// Sends requests to each route, with correct and wrong secrets.
    private func session(_ service: RunningService, _ key: String) throws {
        let base = "http://127.0.0.1:\(service.port)"
        let pass = "\(base)/v1/passes/\(PassMaker.type)/E4"
        let device = "\(base)/v1/devices/\(Self.device)"
        let registration = "\(device)/registrations/\(PassMaker.type)/E4"
        let right = "Authorization: ApplePass \(Self.token)"
        let requests = [
            ["-H", right, pass], ["-I", "-H", right, pass], ["-H", "\(right)wrong", pass],
            ["-H", "Authorization: Basic \(Self.token)", pass], ["\(pass)?token=\(Self.token)"],
            ["-H", right, "-d", #"{"pushToken": "\#(Self.pushToken)"}"#, registration],
            ["-H", right, "-d", #"{"pushToken": "\#(Self.pushToken)z"}"#, registration],
            ["\(device)/registrations/\(PassMaker.type)"],
            ["-H", right, "-X", "DELETE", registration], ["\(base)/download/\(key)"],
            ["\(base)/download/\(key)/pass.pkpass"], ["\(base)/download/\(key)wrong"],
            ["-H", right, "-H", "Content-Length: x", pass], ["-H", right, "-H", "X: \u{1}", pass],
            ["-H", right, "-d", Self.pushToken, "\(base)/v1/log"],
        ]
        for request in requests {
            _ = try? run(["curl", "-s", "-o", "/dev/null", "-m", "5"] + request, input: [])
        }
        // Send the beginning of a request, then reset the connection.
        let program = """
            import socket, struct, sys
            head = f"GET /v1/passes/a/{sys.argv[2]} HTTP/1.1\\r\\nAuthorization: ApplePass {sys.argv[3]}\\r\\n"
            for end in ["", "\\r\\n", "Transfer-Encoding: chunked\\r\\n\\r\\nzz", "\\x00\\r\\n\\r\\n"]:
                connection = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
                connection.sendall((head + end).encode())
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                connection.close()
            """
        _ = try run(
            ["python3", "-c", program, "\(service.port)", "E4", Self.token], input: [])
    }

    private static let token = "vxwxd7J8AlNNFPS8k0a0FfUFtq0ewzFdc"
    private static let device = "5ec2e7d0c0ffee005ec2e7d0c0ffee00"
    private static let pushToken = "5ec2e7005ec2e7005ec2e7005ec2e700"

    private func publish() async throws -> String {
        let maker = try PassMaker()
        var recipe = PassRecipe("E4")
        recipe.authenticationToken = Self.token
        let authority = try [UInt8](Data(contentsOf: URL(filePath: maker.authority)))
        let verifier = PassVerifier(anchors: try TrustAnchors(certificates: [authority]))
        let verified = try #require(verifier.verify([UInt8](maker.make(recipe))).verified)
        let store = try await ServiceStore(at: URL(filePath: store))
        try await store.publish(verified)
        return try #require(try await store.pass(verified.pass.identity)).downloadKey
    }

    @Test("the log of a session contains no secrets", arguments: ["text", "json"])
    func log(form: String) async throws {
        let key = try await publish()
        let service = try RunningService(store, "--log", form, "--log-level", "debug")
        try session(service, key)
        let program = """
            import sqlite3, sys
            sqlite3.connect(sys.argv[1]).execute("ALTER TABLE files RENAME TO lost")
            """
        _ = try run(["python3", "-c", program, "\(store)/service.sqlite"], input: [])
        try session(service, key)
        #expect(service.end() == 0)
        let log = try service.log
        for secret in [
            Self.token, Self.pushToken, Self.device, key, "ApplePass", "Authorization",
        ] {
            #expect(!log.contains(secret))
        }
        let lines = log.split(separator: "\n")
        #expect(lines.contains { $0.contains("registered") && $0.contains("E4") })
        #expect(lines.count { $0.contains("failed") && $0.contains("no such table") } == 1)
        guard form == "json" else { return }
        for line in lines {
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            let keys = try #require(object).keys.sorted()
            #expect(keys == ["level", "message", "metadata", "time"])
        }
    }

    @Test("metrics are served in the text format of Prometheus, on a separate port")
    func metrics() async throws {
        let key = try await publish()
        let service = try RunningService(store, metrics: true)
        try session(service, key)
        let metricsPort = try #require(service.metricsPort)
        let program = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "prometheus.py").path
        let output = try run(["python3", "-B", program, "\(metricsPort)"], input: [])
        let values = try #require(
            try JSONSerialization.jsonObject(with: Data(output)) as? [String: Double])
        for (name, value) in [
            "passconduit_passes": 1.0, "passconduit_devices": 0, "passconduit_registrations": 0,
            "passconduit_store_up": 1,
            #"passconduit_requests_total{method="GET",route="pass",status="200"}"#: 1,
            #"passconduit_requests_total{method="HEAD",route="pass",status="200"}"#: 1,
            #"passconduit_requests_total{method="POST",route="registration",status="201"}"#: 1,
            #"passconduit_requests_total{method="DELETE",route="registration",status="200"}"#: 1,
            #"passconduit_requests_total{method="GET",route="page",status="404"}"#: 1,
            #"passconduit_requests_total{method="GET",route="download",status="200"}"#: 1,
            #"passconduit_request_seconds_count{route="page"}"#: 2,
        ] {
            #expect(try #require(values[name], "\(name)") >= value, "\(name)")
        }
        func status(_ port: Int, _ path: String) throws -> String {
            let output = try run(
                [
                    "curl", "-s", "-o", "/dev/null", "-w", "%{http_code}",
                    "http://127.0.0.1:\(port)\(path)",
                ], input: [])
            return String(streamSafe: output)
        }
        #expect(try status(metricsPort, "/health") == "200")
        #expect(try status(metricsPort, "/v1/log") == "404")
        #expect(try status(service.port, "/metrics") == "404")
        #expect(service.end() == 0)
    }

    @Test("other computers can connect only with --plain-http")
    func addresses() throws {
        for address in ["127.0.0.1", "127.9.8.7", "::1", "0:0::0:1", "localhost"] {
            _ = try Run.parse(["--store", store, "--address", address])
        }
        for address in [
            "0.0.0.0", "::", "192.0.2.1", "1.127.0.1", "fe80::1", "::2", "wallet.example",
            "localhost.example", "127.example", "",
        ] {
            let error = try #require(throws: (any Error).self) {
                try Run.parse(["--store", store, "--address", address])
            }
            #expect(Run.message(for: error).contains("--plain-http"), "\(address)")
            _ = try Run.parse(["--store", store, "--plain-http", "--address", address])
        }
    }

    @Test("behind a proxy on another computer, it listens on all addresses")
    func allAddresses() throws {
        let service = try RunningService(store, "--plain-http", "--address", "0.0.0.0")
        let status = try run(
            [
                "curl", "-s", "-o", "/dev/null", "-w", "%{http_code}",
                "http://127.0.0.2:\(service.port)/v1/log",
            ], input: [])
        #expect(String(streamSafe: status) == "405")
        #expect(service.end() == 0)
    }

    @Test(
        "two servers share a database, and answer 503 while it is unavailable",
        .enabled(if: PostgreSQLServer.missing == nil, "\(PostgreSQLServer.missing ?? "")"))
    func sharedDatabase() throws {
        let database = try PostgreSQLServer()
        let address = try database.schema()
        let services = [try RunningService(address), try RunningService(address)]
        func log(_ service: RunningService, _ text: String) throws -> String {
            let status = try run(
                [
                    "curl", "-s", "-o", "/dev/null", "-w", "%{http_code} %header{retry-after}",
                    "-d", #"{"logs": ["\#(text)"]}"#, "http://127.0.0.1:\(service.port)/v1/log",
                ], input: [])
            return String(streamSafe: status)
        }
        #expect(try services.map { try log($0, "one") } == ["200 ", "200 "])
        try database.stop()
        for service in services {
            #expect(try log(service, "away").hasPrefix("503 "))
            #expect(try !log(service, "away").hasSuffix(" "))
        }
        try database.start()
        // A server waits a second before it connects again.
        Thread.sleep(forTimeInterval: 1.1)
        #expect(try services.map { try log($0, "two") } == ["200 ", "200 "])
        let lines = try run([serveProgram(), "log", "--store", address], input: [])
        let texts = String(streamSafe: lines).split(separator: "\n").map { $0.suffix(3) }
        #expect(texts == ["two", "two", "one", "one"])
        for service in services { #expect(service.end() == 0) }
    }
}
