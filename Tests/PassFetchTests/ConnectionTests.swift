import Fetching
import Loopback
import Testing

@Suite("The number of connections to a host does not exceed that of concurrent requests")
struct ConnectionTests {
    @Test("100 bodies, four at a time")
    func kept() async throws {
        try await LoopbackServer.run { server in
            server.serve("/", .bytes("pass".utf8))
            let program = try FetchProgram()
            var next: Int64 = 0
            func ask() throws {
                guard next < 100 else { return }
                try program.send(
                    FetchOrder.get(
                        FetchRequest(
                            id: next, url: server.url(), file: "body-\(next)",
                            FetchProgram.terms)))
                next += 1
            }
            for _ in 0..<4 { try ask() }
            var finished: Set<Int64> = []
            while finished.count < 100, let event = try program.next() {
                if case .failed(_, let failure) = event { throw failure }
                guard case .finished(let id, size: 4) = event else { continue }
                finished.insert(id)
                try ask()
            }
            #expect(finished.count == 100)
            #expect((1...4).contains(server.connections))
        }
    }
}
