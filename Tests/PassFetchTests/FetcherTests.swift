import Fetching
import Foundation
import Loopback
import Testing

@Suite("The program executes its orders, and exits when its input ends")
struct FetcherTests {
    @Test("several orders at once, each with its own file")
    func several() async throws {
        try await LoopbackServer.run { server in
            server.serve(under: "/n/") { request in
                .generated(200_000, seed: UInt64(request.path.dropFirst(3)) ?? 0)
            }
            let program = try FetchProgram()
            for number in 1...20 {
                let request = FetchRequest(
                    id: Int64(number), url: server.url("/n/\(number)"), file: "f\(number)",
                    FetchProgram.terms)
                try program.send(FetchOrder.get(request))
            }
            var finished: Set<Int64> = []
            while finished.count < 20, let event = try program.next() {
                if case .finished(let id, _) = event { finished.insert(id) }
                if case .failed(_, let failure) = event { Issue.record("\(failure)") }
            }
            for number in 1...20 {
                let body = GeneratedBody(seed: UInt64(number)).bytes(in: 0..<200_000)
                #expect(program.contents("f\(number)") == body)
            }
        }
    }

    @Test("a cancelled request sends no further event, and its file can be reused at once")
    func cancelled() async throws {
        try await LoopbackServer.run { server in
            server.serve("/slow", .generated(1_000_000, seed: 1).paced(bytesPerSecond: 10_000))
            server.serve("/quick", .generated(1000, seed: 2))
            let program = try FetchProgram()
            for number in 0..<5 as Range<Int64> {
                let slow = FetchRequest(
                    id: number * 2, url: server.url("/slow"), file: "body", FetchProgram.terms)
                try program.send(FetchOrder.get(slow))
                if number > 0 { _ = try program.next() }
                try program.send(FetchOrder.cancel(slow.id))
                var quick = slow
                quick.id += 1
                quick.url = server.url("/quick")
                var outcome = FetchProgram.Outcome()
                try program.send(FetchOrder.get(quick))
                while !outcome.isOver, let event = try program.next() {
                    if event.id == quick.id { outcome.take(event) }
                }
                #expect(outcome.size == 1000)
                #expect(program.contents() == GeneratedBody(seed: 2).bytes(in: 0..<1000))
            }
        }
    }

    @Test("thousands of requests for one file that fail at once")
    func failing() async throws {
        try await LoopbackServer.run { server in
            server.serve("/", Answer.bytes("x".utf8).delayed(.seconds(60)))
            let program = try FetchProgram()
            var request = FetchRequest(
                id: 0, url: server.url(), file: "body", FetchProgram.terms)
            try program.send(FetchOrder.get(request))
            request.url = "not a URL"
            let last: Int64 = 6000
            for id in 1...last {
                request.id = id
                try program.send(FetchOrder.get(request))
            }
            try program.send(FetchOrder.cancel(0))
            var failed: [Int64] = []
            while failed.last != last, let event = try program.next() {
                if case .failed(let id, _) = event { failed.append(id) }
            }
            #expect(failed == Array(1...last))
        }
    }

    @Test("it exits when its input ends, even while it is working")
    func inputEnds() async throws {
        try await LoopbackServer.run { server in
            server.serve("/", .generated(10_000_000).paced(bytesPerSecond: 100_000))
            let program = try FetchProgram()
            let request = FetchRequest(
                id: 1, url: server.url(), file: "body", FetchProgram.terms)
            try program.send(FetchOrder.get(request))
            guard case .response = try program.next() else {
                Issue.record("no response")
                return
            }
            #expect(try program.end() == 0)
            #expect(program.contents() != nil)
        }
    }

    @Test("an invalid order is ignored")
    func noOrder() async throws {
        try await LoopbackServer.run { server in
            server.serve("/", .bytes("x".utf8))
            let program = try FetchProgram()
            try program.send(["get": "x"])
            #expect(try program.fetch(server.url()).size == 1)
        }
    }

    @Test("an overlong order is ignored", arguments: [1 << 20, (1 << 20) + 1, 5_000_000])
    func longOrder(size: Int) async throws {
        try await LoopbackServer.run { server in
            server.serve("/", .bytes("x".utf8))
            let program = try FetchProgram()
            let url = server.url() + String(repeating: "x", count: size)
            try program.send(
                FetchOrder.get(FetchRequest(id: 1, url: url, file: "long", FetchProgram.terms)))
            #expect(try program.fetch(server.url()).size == 1)
            #expect(program.contents("long") == nil)
        }
    }

    @Test(
        "without a folder or a configuration it prints its usage",
        arguments: [[], ["a", "b"], ["--help"]])
    func usage(arguments: [String]) throws {
        let process = Process()
        process.executableURL = FetchProgram.path
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        let errors = Pipe()
        process.standardError = errors
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 64)
        let text = String(
            decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        #expect(text.hasPrefix("usage: passconduit-fetch FOLDER\n"))
    }
}
