import Fetching
import Foundation
import Glibc
import Loopback
import Testing

@Suite("Whoever does not answer is waited for only so long")
struct PatienceTests {
    @Test("when nothing comes, before an answer and in a body")
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
                #expect(
                    failure?.detail == "nothing came from \(server.authority()) for 0.5 seconds")
            }
        }
    }

    @Test("when something comes for ever")
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
            #expect(slow?.detail.contains("longer than a second") == true)
            #expect(try program.fetch(server.url("/heralded")).failure?.isTransient == true)
        }
    }

    @Test("when nobody is at the other end of a connection")
    func connect() throws {
        // Connections are taken up by the system, and nobody ever speaks on them.
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
        #expect(failure?.detail == "127.0.0.1:\(port) did not answer within 0.5 seconds")
    }
}
