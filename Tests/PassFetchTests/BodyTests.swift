import Fetching
import Foundation
import Loopback
import Testing

@Suite("A body is written to its file in full, or an error is reported")
struct BodyTests {
    @Test("of every size, with its length and without", arguments: [0, 1, 65_536, 5_000_001])
    func sizes(size: Int) async throws {
        try await LoopbackServer.run { server in
            let body = GeneratedBody(seed: 3)
            server.serve("/plain", .generated(size, seed: 3))
            server.serve("/chunked", .generated(size, seed: 3).chunked())
            let program = try FetchProgram()
            for path in ["/plain", "/chunked"] {
                let outcome = try program.fetch(server.url(path))
                #expect(outcome.size == size)
                #expect(outcome.responses.map(\.size) == [path == "/plain" ? size : nil])
                #expect(outcome.progress == outcome.progress.sorted())
                #expect(program.contents() == body.bytes(in: 0..<size))
            }
        }
    }

    @Test("a body that ends with the connection")
    func closeDelimited() async throws {
        try await LoopbackServer.run { server in
            server.serve("/", .raw("HTTP/1.0 200 OK\r\nContent-Type: text/x\r\n\r\nall of it".utf8))
            let program = try FetchProgram()
            let outcome = try program.fetch(server.url())
            #expect(outcome.size == 9)
            #expect(outcome.responses.first?.size == nil)
            #expect(outcome.responses.first?.contentType == "text/x")
            #expect(program.contents() == Array("all of it".utf8))
        }
    }

    @Test("a longer file is overwritten completely")
    func overwritten() async throws {
        try await LoopbackServer.run { server in
            server.serve("/", .bytes("short".utf8))
            let program = try FetchProgram()
            try program.write(Array(repeating: 1, count: 1000))
            #expect(try program.fetch(server.url()).size == 5)
            #expect(program.contents() == Array("short".utf8))
        }
    }

    @Test("a cut connection is reported, and the partial body is kept")
    func cut() async throws {
        try await LoopbackServer.run { server in
            let body = GeneratedBody(seed: 5)
            server.serve("/plain", .generated(300_000, seed: 5).cut(after: 100_000))
            server.serve("/chunked", .generated(300_000, seed: 5).chunked().cut(after: 100_000))
            let program = try FetchProgram()
            for path in ["/plain", "/chunked"] {
                let outcome = try program.fetch(server.url(path))
                #expect(outcome.failure?.code == .cut)
                #expect(outcome.failure?.isTransient == true)
                let contents = try #require(program.contents())
                #expect(contents == body.bytes(in: 0..<contents.count))
            }
        }
    }

    @Test("a body above the limit is not fetched, with or without a declared length")
    func tooLarge() async throws {
        try await LoopbackServer.run { server in
            server.serve("/said", .generated(1_000_001))
            server.serve("/endless", .generated(nil).chunked())
            server.serve("/just", .generated(1_000_000).chunked())
            server.serve("/over", .generated(1_000_001).chunked())
            let program = try FetchProgram()
            let said = try program.fetch(server.url("/said")) { $0.terms.maximumSize = 1_000_000 }
            #expect(said.failure?.code == .size)
            #expect(said.responses.isEmpty)
            #expect(program.contents() == nil)
            let endless = try program.fetch(server.url("/endless")) {
                $0.terms.maximumSize = 1_000_000
            }
            #expect(endless.failure?.code == .size)
            #expect(endless.failure?.isTransient == false)
            #expect(try #require(program.contents()).count <= 1_000_000)
            let just = try program.fetch(server.url("/just")) { $0.terms.maximumSize = 1_000_000 }
            #expect(just.size == 1_000_000)
            let over = try program.fetch(server.url("/over")) { $0.terms.maximumSize = 1_000_000 }
            #expect(over.failure?.code == .size)
        }
    }

    @Test("the server's fields are reported unchanged")
    func fields() async throws {
        try await LoopbackServer.run { server in
            let answer = Answer.bytes(
                "x".utf8, type: "application/vnd.apple.pkpass",
                disposition: "attachment; filename*=UTF-8''%C3%BC.pkpass")
            server.serve(
                "/a", answer.tagged("\"1\"").field("Content-Encoding", "gzip"))
            let response = try FetchProgram().fetch(server.url("/a?q#f")).responses.first
            #expect(response?.url == server.url("/a?q"))
            #expect(response?.contentType == "application/vnd.apple.pkpass")
            #expect(
                response?.contentDisposition == "attachment; filename*=UTF-8''%C3%BC.pkpass")
            #expect(response?.validator == "\"1\"")
            #expect(response?.contentEncoding == "gzip")
        }
    }

    @Test(
        "a file that cannot be written is reported", arguments: ["", "..", "a/b", "/etc/x", "d"])
    func noFile(name: String) async throws {
        try await LoopbackServer.run { server in
            server.serve("/", .bytes("x".utf8))
            let program = try FetchProgram()
            try FileManager.default.createDirectory(
                at: program.folder.appendingPathComponent("d"), withIntermediateDirectories: true)
            #expect(try program.fetch(server.url(), as: name).failure?.code == .file)
        }
    }

    @Test("a link that leads out of the folder is not followed")
    func link() async throws {
        try await LoopbackServer.run { server in
            server.serve("/", .bytes("x".utf8))
            let program = try FetchProgram()
            try FileManager.default.createSymbolicLink(
                atPath: program.folder.path + "/body", withDestinationPath: "other")
            #expect(try program.fetch(server.url()).failure?.code == .file)
            #expect(program.contents("other") == nil)
        }
    }
}
