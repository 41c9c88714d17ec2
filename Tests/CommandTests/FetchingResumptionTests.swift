import Foundation
import Loopback
import PassFixtures
import Testing

@Suite("An interrupted body resumes where it ended, if it has not changed")
struct FetchingResumptionTests {
    private let home: FetchingHome
    private let pass: Data

    init() throws {
        home = try FetchingHome()
        pass = try FetchingHome.pass("0001") { $0.picture = 3_000_000 }
    }

    /// The result of an import whose first response is cut off.
    private func imported(
        _ cut: Answer, _ rest: Answer..., expecting: String = "added"
    ) async throws -> [RecordedRequest] {
        try await LoopbackServer.run { server in
            switch rest.count {
            case 1: server.serve("/1.pkpass", cut, rest[0])
            default: server.serve("/1.pkpass", cut, rest[0], rest[1])
            }
            let result = try home.imports(server.url("/1.pkpass"))
            #expect(result.status == 0, "\(result.output) \(result.errors)")
            #expect(result.pass?["import"] as? String == expecting)
            #expect(try home.serials == ["0001"])
            return server.requests
        }
    }

    @Test(
        "With an entity tag, or an old modification date",
        arguments: [true, false], [1, 1_000_000, 2_999_999])
    func resumed(isTagged: Bool, cut: Int) async throws {
        defer { home.remove() }
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        let whole = Answer.pass(pass).ranges()
        let answer = isTagged ? whole.tagged("\"a\"") : whole.modified(date)
        let requests = try await imported(answer.cut(after: cut), answer)
        #expect(requests.map { $0["Range"] } == [nil, "bytes=\(cut)-"])
        #expect(
            requests.map { $0["If-Range"] }
                == [nil, isTagged ? "\"a\"" : "Tue, 14 Nov 2023 22:13:20 GMT"])
        #expect(requests.map(\.status) == [200, 206])
        #expect(requests.map(\.sent) == [cut, pass.count - cut])
    }

    @Test("From the start, if the server has no ranges or no validator")
    func started() async throws {
        defer { home.remove() }
        let plain = Answer.pass(pass)
        let requests = try await imported(
            plain.tagged("\"a\"").cut(after: 1_000_000), plain.tagged("\"a\""))
        #expect(requests.map(\.status) == [200, 200])
        #expect(requests.map(\.sent) == [1_000_000, pass.count])
        for known in [plain, plain.tagged("W/\"a\""), plain.modified(Date.now)] {
            let requests = try await imported(
                known.ranges().cut(after: 1_000_000), known.ranges(), expecting: "unchanged")
            #expect(requests.map { $0["Range"] } == [nil, nil])
            #expect(requests.map(\.status) == [200, 200])
        }
    }

    @Test("From the start, if the body has changed")
    func changed() async throws {
        defer { home.remove() }
        let other = try FetchingHome.pass("0001") {
            $0.picture = 3_000_000
            $0.description = "Another"
        }
        let requests = try await imported(
            Answer.pass(other).ranges().tagged("\"a\"").cut(after: 1_000_000),
            Answer.pass(pass).ranges().tagged("\"b\""))
        #expect(requests.map { $0["If-Range"] } == [nil, "\"a\""])
        #expect(requests.map(\.status) == [200, 200])
    }

    @Test("Once more from the start, if the ranges do not match")
    func damaged() async throws {
        defer { home.remove() }
        let other = try FetchingHome.pass("0001") { $0.picture = 3_000_100 }
        let requests = try await imported(
            Answer.pass(other).ranges().tagged("\"a\"").cut(after: 1_000_000),
            Answer.pass(pass).ranges().tagged("\"a\""), Answer.pass(pass))
        #expect(requests.map { $0["Range"] } == [nil, "bytes=1000000-", nil])
    }

    @Test("In chunked encoding too, and after every interruption as long as bytes arrive")
    func chunked() async throws {
        defer { home.remove() }
        let answer = Answer.pass(pass).ranges().tagged("\"a\"")
        let requests = try await imported(
            answer.chunked().cut(after: 500_000), answer.chunked().cut(after: 600_000), answer)
        #expect(requests.map(\.sent) == [500_000, 600_000, pass.count - 1_100_000])
    }
}
