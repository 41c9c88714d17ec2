import Fetching
import Foundation
import Glibc
import Loopback
import Testing

@Suite("Requests to silent and endless servers time out")
struct PatienceTests {
    @Test("when nothing arrives, before a response and within a body")
    func idle() async throws {
        try await LoopbackServer.run { server in
            server.serve("/silent", Answer.bytes("x".utf8).delayed(.seconds(30)))
            server.serve("/stalled", .generated(100_000).stalled(after: 1000))
            var configuration = FetchProgram.configuration
            configuration.idleTimeout = 0.5
            let program = try FetchProgram(configuration)
            for path in ["/silent", "/stalled"] {
                let failure = try program.fetch(server.url(path)).failure
                #expect(failure?.code == .timeout)
                #expect(failure?.isTransient == true)
                #expect(failure?.reason == .stalled(host: server.authority(), seconds: 0.5))
            }
        }
    }

    @Test("when data never ends")
    func total() async throws {
        try await LoopbackServer.run { server in
            server.serve("/slow", .generated(1_000_000).paced(bytesPerSecond: 1000))
            server.serve(
                "/heralded",
                .raw(String(repeating: "HTTP/1.1 102 Processing\r\n\r\n", count: 100_000).utf8))
            var configuration = FetchProgram.configuration
            configuration.totalTimeout = 1
            let program = try FetchProgram(configuration)
            let slow = try program.fetch(server.url("/slow")).failure
            #expect(slow?.code == .timeout)
            #expect(slow?.reason == .tooSlow(host: server.authority(), seconds: 1))
            #expect(try program.fetch(server.url("/heralded")).failure?.reason == .longAnswer)
        }
    }

    @Test("when they send a little all the time: interim responses, fields, or a body")
    func slow() async throws {
        try await LoopbackServer.run { server in
            let interim = "HTTP/1.1 103 Early Hints\r\n\r\n"
            let fields = "HTTP/1.1 200 OK\r\n" + String(repeating: "X: y\r\n", count: 1000)
            for (path, text) in [
                ("/interim", String(repeating: interim, count: 1000)), ("/fields", fields),
                ("/field", "HTTP/1.1 200 OK\r\nX: \(String(repeating: "x", count: 9000))"),
            ] {
                server.serve(path, .raw(text.utf8).paced(bytesPerSecond: 100))
            }
            server.serve("/body", .generated(10_000).paced(bytesPerSecond: 100))
            server.serve("/fast", .generated(3000).paced(bytesPerSecond: 1000))
            var configuration = FetchProgram.configuration
            configuration.idleTimeout = 1
            configuration.minimumRate = 200
            let program = try FetchProgram(configuration)
            let host = server.authority()
            for path in ["/interim", "/fields", "/field"] {
                let start = ContinuousClock.now
                let reason = try program.fetch(server.url(path)).failure?.reason
                #expect(reason == .stalled(host: host, seconds: 1), "\(path)")
                #expect(ContinuousClock.now - start >= .seconds(1))
            }
            #expect(
                try program.fetch(server.url("/body")).failure?.reason
                    == .belowRate(host: host, bytesPerSecond: 200, seconds: 1))
            #expect(try program.fetch(server.url("/fast")).size == 3000)
        }
    }

    @Test("when a connection is never answered")
    func connect() throws {
        // The system accepts the connections, but no program answers them.
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        #expect(listen(listener, 8) == 0)
        var bytes = [UInt8](repeating: 0, count: 16)
        var length = socklen_t(16)
        let named = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe buffer.withMemoryRebound(to: sockaddr.self) { address in
                unsafe getsockname(listener, address.baseAddress, &length)
            }
        }
        #expect(named == 0)
        let port = Int(bytes[2]) << 8 | Int(bytes[3])
        var configuration = FetchProgram.configuration
        configuration.connectTimeout = 0.5
        let failure = try FetchProgram(configuration).fetch("https://127.0.0.1:\(port)/").failure
        #expect(failure?.code == .timeout)
        #expect(failure?.reason == .noAnswer(.server("127.0.0.1:\(port)"), seconds: 0.5))
    }
}
