import Fetching
import Foundation
import Loopback
import PassFixtures
import Testing

@Suite("A stream is reported line by line, for as long as the server sends")
struct StreamTests {
    private static let event = ["id: 1\r\nda", "ta: x\r", "\n\r\n", ": still here\n\n"]
    private static let lines = ["id: 1", "data: x", "", ": still here", ""]

    private func request(
        _ url: String, id: Int64 = 1, _ change: (inout FetchRequest) -> Void = { _ in }
    ) -> FetchRequest {
        var request = FetchRequest(id: id, url: url, file: "", FetchProgram.terms)
        request.isStream = true
        request.accept = "text/event-stream"
        change(&request)
        return request
    }

    @Test("each line when it arrives, without a file")
    func lines() async throws {
        try await LoopbackServer.run { server in
            server.serve("/", .stream(StreamTests.event, pause: .milliseconds(200)))
            let program = try FetchProgram()
            try program.send(
                FetchOrder.get(request(server.url()) { $0.lastEventID = "1742" }))
            var outcome = FetchProgram.Outcome()
            var arrivals: [ContinuousClock.Instant] = []
            while !outcome.isOver, let event = try program.next() {
                outcome.take(event)
                if case .line = event { arrivals.append(.now) }
            }
            #expect(outcome.lines == StreamTests.lines)
            #expect(outcome.size == StreamTests.event.joined().utf8.count)
            #expect(outcome.progress == [])
            #expect(outcome.responses.map(\.contentType) == ["text/event-stream"])
            // The line ends with the CR of the second piece; the LF is in the third.
            try #require(arrivals.count == 5)
            #expect(arrivals[1] - arrivals[0] > .milliseconds(100))
            #expect(arrivals[2] - arrivals[1] > .milliseconds(100))
            #expect(arrivals[4] - arrivals[2] > .milliseconds(100))
            let sent = try #require(server.requests.first)
            #expect(sent.method == "GET")
            #expect(sent["Accept"] == "text/event-stream")
            #expect(sent["Last-Event-ID"] == "1742")
            #expect(sent["Authorization"] == nil)
            #expect(try FileManager.default.contentsOfDirectory(atPath: program.folder.path) == [])
        }
    }

    @Test("longer than the limits for a file, and at a lower rate")
    func longLived() async throws {
        try await LoopbackServer.run { server in
            let pieces = (1...60).map { "\($0)\n" }
            server.serve("/", .stream(pieces, pause: .milliseconds(100)))
            var configuration = FetchProgram.configuration
            configuration.totalTimeout = 0.5
            configuration.idleTimeout = 3
            configuration.minimumRate = 1000
            let outcome = try FetchProgram(configuration).fetch(request(server.url()))
            #expect(outcome.lines == (1...60).map { "\($0)" })
            #expect(outcome.failure == nil)
        }
    }

    @Test("until it is silent, before the response and later")
    func silent() async throws {
        try await LoopbackServer.run { server in
            server.serve("/silent", Answer.stream(["a\n"]).delayed(.seconds(30)))
            server.serve("/stalled", .stream(["a\n", ""], pause: .seconds(30)))
            var configuration = FetchProgram.configuration
            configuration.idleTimeout = 2
            let program = try FetchProgram(configuration)
            for (path, lines) in [("/silent", []), ("/stalled", ["a"])] {
                let outcome = try program.fetch(request(server.url(path)))
                #expect(outcome.lines == lines)
                #expect(
                    outcome.failure?.reason == .stalled(host: server.authority(), seconds: 2))
                #expect(outcome.failure?.isTransient == true)
            }
        }
    }

    @Test("until the server ends it at once, or the connection is cut")
    func ends() async throws {
        try await LoopbackServer.run { server in
            server.serve("/empty", .stream([]))
            server.serve("/none", .bytes([], type: "text/event-stream"))
            server.serve("/closed", .raw("HTTP/1.0 200 OK\r\n\r\na\nb".utf8))
            server.serve("/cut", Answer.bytes("a\nb\nc\n".utf8).chunked().cut(after: 3))
            let program = try FetchProgram()
            for (path, size, lines) in [
                ("/empty", 0, []), ("/none", 0, []), ("/closed", 3, ["a", "b"]),
            ] {
                let outcome = try program.fetch(request(server.url(path)))
                #expect(outcome.size == size)
                #expect(outcome.lines == lines)
            }
            let cut = try program.fetch(request(server.url("/cut")))
            #expect(cut.lines == ["a"])
            #expect(
                cut.failure?.reason == .cut(host: server.authority(), received: 3, size: nil))
            #expect(cut.failure?.isTransient == true)
        }
    }

    @Test("but not endless lines, nor floods of lines")
    func floods() async throws {
        try await LoopbackServer.run { server in
            let long = String(repeating: "x", count: 10_000)
            server.serve("/line", .stream([long], isEndless: true))
            let empty = String(repeating: "\n", count: 10_000)
            server.serve("/lines", .stream([empty], isEndless: true))
            server.serve("/bytes", .stream([String(repeating: "\(long)\n", count: 200)]))
            server.serve("/good", .bytes("x".utf8))
            let program = try FetchProgram()
            let host = server.authority()
            let line = try program.fetch(request(server.url("/line")))
            #expect(line.failure?.reason == .tooLarge(host: host, size: nil, limit: 65_536))
            #expect(line.failure?.code == .size)
            let lines = try program.fetch(
                request(server.url("/lines")) { $0.terms.maximumSize = 64_000 })
            #expect(lines.failure?.reason == .tooLarge(host: host, size: nil, limit: 64_000))
            #expect(lines.lines.count == 1000)
            let bytes = try program.fetch(
                request(server.url("/bytes")) { $0.terms.maximumSize = 1_000_000 })
            #expect(bytes.failure?.reason == .tooLarge(host: host, size: nil, limit: 1_000_000))
            #expect(bytes.lines.count <= 99)
            #expect(try program.fetch(server.url("/good")).failure == nil)
        }
    }

    @Test("until it is cancelled, which closes the connection")
    func cancelled() async throws {
        try await LoopbackServer.run { server in
            server.serve("/", .stream(["a\n"], pause: .milliseconds(20), isEndless: true))
            server.serve("/good", Answer.bytes("x".utf8).delayed(.milliseconds(200)))
            let program = try FetchProgram()
            try program.send(FetchOrder.get(request(server.url())))
            while let event = try program.next(), event != .line(id: 1, "a") {}
            try program.send(FetchOrder.cancel(1))
            let good = FetchRequest(
                id: 2, url: server.url("/good"), file: "body", FetchProgram.terms)
            try program.send(FetchOrder.get(good))
            var events: [FetchEvent] = []
            while let event = try program.next() {
                events.append(event)
                if case .finished(id: 2, _) = event { break }
            }
            // Lines that were sent before the program read the order.
            let late = events.prefix { $0.id == 1 }
            #expect(late.allSatisfy { $0 == .line(id: 1, "a") })
            #expect(late.count < 10)
            #expect(events.dropFirst(late.count).allSatisfy { $0.id == 2 })
            try await server.waits { requests in requests.first?.end != nil }
        }
    }

    @Test("several at once, which delay neither each other nor other requests")
    func several() async throws {
        try await LoopbackServer.run { server in
            server.serve(under: "/stream/") { request in
                .stream(["\(request.path)\n"], pause: .milliseconds(50), isEndless: true)
            }
            server.serve(under: "/body/") { _ in .generated(100_000) }
            let empty = String(repeating: "\n", count: 10_000)
            server.serve("/flood", .stream([empty], isEndless: true))
            let program = try FetchProgram()
            for id in 1...5 as ClosedRange<Int64> {
                try program.send(
                    FetchOrder.get(request(server.url("/stream/\(id)"), id: id)))
            }
            try program.send(
                FetchOrder.get(
                    request(server.url("/flood"), id: 6) { $0.terms.maximumSize = 1_000_000 }))
            var next: Int64 = 10
            for _ in 0..<3 {
                let body = FetchRequest(
                    id: next, url: server.url("/body/\(next)"), file: "\(next)",
                    FetchProgram.terms)
                try program.send(FetchOrder.get(body))
                var change = FetchRequest(
                    id: next + 1, url: server.url("/body/\(next)"), file: "", FetchProgram.terms)
                change.method = .delete
                try program.send(FetchOrder.get(change))
                next += 2
            }
            var lines: [Int64: Int] = [:]
            var ended: Set<Int64> = []
            while ended.count < 7 || (1...5).contains(where: { lines[$0, default: 0] < 5 }),
                let event = try program.next()
            {
                switch event {
                case .line(let id, let line):
                    if id != 6 { #expect(line == "/stream/\(id)") }
                    lines[id, default: 0] += 1
                case .finished(let id, _), .answered(let id, _, _): ended.insert(id)
                case .failed(let id, let failure):
                    ended.insert(id)
                    #expect(id == 6 && failure.code == .size, "\(id): \(failure)")
                default: break
                }
            }
            #expect(ended == Set([6] + (10..<16)))
        }
    }

    @Test("over HTTP/2, beside other requests on the same connection")
    func http2() async throws {
        let certificate = try ServerCertificate()
        try await LoopbackServer.run(certificate: certificate, offersHTTP2: true) { server in
            server.serve("/stream", .stream(["a\n"], pause: .milliseconds(50), isEndless: true))
            server.serve("/whole", .stream(StreamTests.event))
            server.serve("/body", .generated(100_000))
            var configuration = FetchProgram.configuration
            configuration.authorities = try ServerAuthority.path
            let program = try FetchProgram(configuration)
            let whole = try program.fetch(request(server.url("/whole"), id: 2))
            #expect(whole.lines == StreamTests.lines)
            try program.send(FetchOrder.get(request(server.url("/stream"))))
            while let event = try program.next(), event != .line(id: 1, "a") {}
            let body = FetchRequest(
                id: 3, url: server.url("/body"), file: "body", FetchProgram.terms)
            try program.send(FetchOrder.get(body))
            var linesLater = 0
            var size: Int?
            while linesLater < 3, let event = try program.next() {
                if case .finished(id: 3, let count) = event { size = count }
                if size != nil, event == .line(id: 1, "a") { linesLater += 1 }
                if case .failed = event { break }
            }
            #expect(size == 100_000)
            try program.send(FetchOrder.cancel(1))
            #expect(try program.fetch(request(server.url("/whole"), id: 4)).failure == nil)
            #expect(server.requests.allSatisfy { $0.isHTTP2 })
            #expect(server.connections == 1)
        }
    }

    @Test("through a proxy, in a tunnel and forwarded")
    func proxies() async throws {
        let certificate = try ServerCertificate(.good, names: ["passes.example"])
        try await LoopbackServer.run(certificate: certificate) { secure in
            try await LoopbackServer.run { plain in
                let ports = ["passes.example": secure.port, "plain.example": plain.port]
                try await LoopbackProxy.run(ports: ports) { proxy in
                    for server in [secure, plain] {
                        server.serve(
                            "/", .stream(StreamTests.event, pause: .milliseconds(20)))
                    }
                    var configuration = FetchProgram.configuration
                    configuration.authorities = try ServerAuthority.path
                    configuration.proxies = ["all_proxy": proxy.url]
                    let program = try FetchProgram(configuration)
                    for url in ["https://passes.example/", "http://plain.example/"] {
                        let outcome = try program.fetch(
                            request(url) { $0.terms.allowsPrivateAddresses = false })
                        #expect(outcome.lines == StreamTests.lines)
                        #expect(outcome.failure == nil)
                    }
                    #expect(proxy.inquiries.map(\.method) == ["CONNECT", "GET"])
                }
            }
        }
    }

    @Test("not from forbidden addresses, nor over http without permission")
    func rules() async throws {
        try await LoopbackServer.run { server in
            try await LoopbackProxy.run(ports: ["passes.example": server.port]) { proxy in
                server.serve("/", .stream(["a\n"]))
                server.serve("/moved", .redirect(to: "http://169.254.169.254/latest/meta-data/"))
                let program = try FetchProgram()
                for host in ["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "0x7f.1"] {
                    let outcome = try program.fetch(
                        request("http://\(host):\(server.port)/") {
                            $0.terms.allowsPrivateAddresses = false
                        })
                    #expect(outcome.failure?.code == .address)
                }
                let insecure = try program.fetch(
                    request(server.url()) { $0.terms.allowsHTTP = false })
                #expect(insecure.failure?.code == .insecure)
                #expect(server.connections == 0)
                var configuration = FetchProgram.configuration
                configuration.proxies = ["http_proxy": proxy.url]
                let moved = try FetchProgram(configuration).fetch(
                    request("http://passes.example/moved") {
                        $0.terms.allowsPrivateAddresses = false
                    })
                #expect(moved.failure?.code == .address)
                #expect(proxy.inquiries.count == 1)
            }
        }
    }

    @Test("from the target of a redirect, which gets no token and announces nothing")
    func redirect() async throws {
        try await LoopbackServer.run { home in
            try await LoopbackServer.run { other in
                home.serve("/", .redirect(to: other.url("/")))
                other.serve(
                    "/", Answer.stream(StreamTests.event).field("Passconduit-Events", "1"))
                let outcome = try FetchProgram().fetch(
                    request(home.url()) {
                        $0.authenticationToken = "secret"
                        $0.lastEventID = "1"
                    })
                #expect(outcome.lines == StreamTests.lines)
                #expect(outcome.announcesEvents == false)
                #expect(home.requests.map { $0["Authorization"] } == ["ApplePass secret"])
                #expect(other.requests.map { $0["Authorization"] } == [nil])
            }
        }
    }

    @Test("another status ends it")
    func statuses() async throws {
        try await LoopbackServer.run { server in
            server.serve("/none", .status(204))
            server.serve("/busy", .status(503, retryAfter: "120"))
            let program = try FetchProgram()
            let none = try program.fetch(request(server.url("/none")))
            #expect(none.failure?.status == 204)
            let busy = try program.fetch(request(server.url("/busy")))
            #expect(busy.failure?.status == 503)
            #expect(busy.failure?.retryAfter == 120)
            #expect(busy.lines == [])
        }
    }
}
