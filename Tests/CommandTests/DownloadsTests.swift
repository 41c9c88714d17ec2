import Foundation
import Loopback
import Testing

@Suite("downloads lists the queue and pauses, resumes or cancels downloads")
struct DownloadsTests {
    /// The state of a download, and the server's first response that leads to it.
    enum State: String, CaseIterable {
        case waiting, paused, finished, failed, cancelled

        func first(_ pass: Data) -> Answer {
            switch self {
            case .waiting, .paused, .cancelled: .status(503, retryAfter: "3600")
            case .finished: .pass(pass)
            case .failed: .status(404)
            }
        }
    }

    private let home: FetchingHome
    private let pass: Data

    init() throws {
        home = try FetchingHome()
        pass = try FetchingHome.pass("0001")
    }

    private func downloads(_ words: String...) throws -> Program.Result {
        try home.program.run(["downloads"] + words)
    }

    /// Brings a download into a state. From then on, its server offers the pass.
    private func bring(_ path: String, to state: State, _ server: LoopbackServer) throws {
        server.serve(path, state.first(pass), .pass(pass))
        let result = try home.imports(server.url(path))
        #expect(result.status == (state == .finished ? 0 : 2), "\(result.output)")
        let all = try downloads("list", "--all", "--json").records
        let id = "\(all.last?["id"] as? Int ?? 0)"
        if state == .paused { #expect(try downloads("pause", id).status == 0) }
        if state == .cancelled { #expect(try downloads("cancel", id).status == 0) }
    }

    private var states: [String?] {
        get throws {
            try downloads("list", "--all", "--json").records.map { $0["state"] as? String }
        }
    }

    @Test("Unfinished downloads are listed, and the others on request")
    func list() async throws {
        defer { home.remove() }
        #expect(try downloads("list").output == "")
        try await LoopbackServer.run { server in
            for state in State.allCases { try bring("/\(state)", to: state, server) }
            #expect(try states == State.allCases.map(\.rawValue))
            let few = try downloads("list")
            #expect(few.status == 0)
            let lines = few.lines.map { $0.split(whereSeparator: \.isWhitespace) }
            #expect(lines.map { $0.prefix(2).joined(separator: " ") } == ["1 waiting", "2 paused"])
            #expect(few.lines.allSatisfy { $0.contains(server.url("/")) && $0.contains("503") })
            #expect(few.lines.first?.contains(#/again in (1:00:00|5[0-9]:[0-9]{2}) /#) == true)
            let all = try downloads("list", "--all")
            #expect(all.lines.count == 5)
            #expect(all.lines[2].contains("100%") && all.lines[2].contains("1 added"))
            #expect(all.lines[3].contains("404"))

            let records = try downloads("list", "--all", "--json").records
            #expect(
                records.map { $0["record"] as? String } == .init(repeating: "download", count: 5))
            #expect(
                records.map { $0["contentURL"] as? String }
                    == State.allCases.map { server.url("/\($0)") })
            #expect(records.map { $0["progress"] as? Double } == [0, 0, 1, 0, 0])
            #expect(records.map { $0["attempts"] as? Int } == [1, 1, 0, 1, 1])
            let codes = records.map { ($0["error"] as? [String: Any])?["code"] as? String }
            #expect(codes == ["status", "status", nil, "status", "status"])
            #expect(records[2]["outcome"] as? String == "1 added")
            #expect(records[2]["receivedContentLength"] as? Int == pass.count)
        }
    }

    /// The states of SKDownload. A finished download keeps its state.
    @Test(
        "Pausing and cancelling in each state",
        arguments: [
            (State.waiting, "paused", "cancelled"), (.paused, "paused", "cancelled"),
            (.finished, "finished", "finished"), (.failed, "failed", "failed"),
            (.cancelled, "cancelled", "cancelled"),
        ])
    func changed(state: State, paused: String, cancelled: String) async throws {
        defer { home.remove() }
        try await LoopbackServer.run { server in
            try bring("/1", to: state, server)
            let url = server.url("/1")
            let text = try downloads("pause", "1")
            #expect(text.status == 0)
            #expect(text.output == "1  \(paused)  \(url)\n")
            let json = try downloads("pause", "1", "--json").records.first
            #expect(json?["state"] as? String == paused)
            #expect(try downloads("cancel", "1").output == "1  \(cancelled)  \(url)\n")
            #expect(try states == [cancelled])
            let record = try downloads("cancel", "1", "--json").records.first
            #expect(record?["contentURL"] as? String == url)
            #expect(record?["state"] as? String == cancelled)
            #expect(server.requests.count == 1)
        }
    }

    @Test(
        "Resuming in each state",
        arguments: [
            (State.waiting, true), (.paused, true), (.failed, true), (.finished, false),
            (.cancelled, false),
        ])
    func resumed(state: State, isFetched: Bool) async throws {
        defer { home.remove() }
        try await LoopbackServer.run { server in
            try bring("/1", to: state, server)
            let result = try downloads("resume", "1", "--json")
            #expect(result.passes.count == (isFetched ? 1 : 0), "\(result.output)")
            #expect(server.requests.count == (isFetched ? 2 : 1))
            #expect(try states == [isFetched ? "finished" : state.rawValue])
            if isFetched { #expect(result.status == 0) }
            if isFetched { #expect(try home.serials == ["0001"]) }
        }
    }

    @Test(
        "Without a number all unfinished downloads resume, and with --due only those that are due")
    func all() async throws {
        defer { home.remove() }
        try await LoopbackServer.run { server in
            for state in State.allCases { try bring("/\(state)", to: state, server) }
            let due = try downloads("resume", "--due")
            #expect(due.status == 0 && due.output == "")
            #expect(server.requests.count == 5)
            let paused = try downloads("pause").lines
            #expect(paused.map { $0.prefix { $0 != "h" } } == ["1  paused  ", "2  paused  "])
            let resumed = try downloads("resume", "--json")
            #expect(resumed.status == 0)
            #expect(resumed.passes.count == 2)
            #expect(Set(server.requests.suffix(2).map(\.path)) == ["/waiting", "/paused"])
            #expect(
                try states == ["finished", "finished", "finished", "failed", "cancelled"])
            #expect(try downloads("cancel").status == 64)
        }
    }

    @Test(
        "An unknown number changes nothing", arguments: ["pause", "resume", "cancel"])
    func unknown(command: String) async throws {
        defer { home.remove() }
        try await LoopbackServer.run { server in
            try bring("/1", to: .waiting, server)
            let result = try downloads(command, "1", "77")
            #expect(result.status == 1)
            #expect(result.output == "")
            #expect(result.errors == "passconduit: there is no download 77\n")
            #expect(try states == ["waiting"])
            #expect(server.requests.count == 1)
            #expect(try downloads(command, "one").status == 64)
        }
    }
}
