import Foundation
import Loopback
import PassFixtures
import Testing

@Suite("update requests the registered passes that a list names; if it is unusable, all of them")
struct UpdateListsTests {
    private let holder: PassHolder

    init() throws {
        holder = try PassHolder("lists")
    }

    /// A service with two passes, `NAME-a` and `NAME-b`, whose last list had the tag 2.
    private struct Row {
        let name: String
        /// The answers to requests for lists; the last one is repeated.
        let answers: [Answer]
        /// The passes requested in the run, in order.
        var passes = "ab"
        /// The number of lists requested in the run.
        var lists = 1
        /// The tag of the next request for a list.
        var tag = "2"
        /// The end of the message for the log.
        var message: String?

        /// A list; `%` is the name of the row.
        static func list(
            _ name: String, _ json: String, passes: String = "a", tag: String = "3",
            message: String? = nil
        ) -> Row {
            Row(
                name: name, answers: [.json(json.replacing("%", with: name))], passes: passes,
                tag: tag, message: message)
        }

        static func invalid(_ name: String, _ body: some Sequence<UInt8>) -> Row {
            Row(
                name: name, answers: [.bytes(body, type: "application/json")],
                message: "the list of serial numbers cannot be read")
        }
    }

    private static func unregistered(_ count: Int) -> String {
        "the list contains \(count) serial numbers that are not registered for this device"
    }

    private static let usual = [
        Row.list("one", #"{"serialNumbers": ["%-a"], "lastUpdated": "3"}"#),
        .list("more", #"{"a": {"b": [1]}, "serialNumbers": ["%-a"], "lastUpdated": "3"}"#),
        .list("none", #"{"serialNumbers": [], "lastUpdated": "3"}"#, passes: ""),
        .list("no-tag", #"{"serialNumbers": []}"#, passes: "", tag: "2"),
        .list("no-news", #"{"serialNumbers": [], "lastUpdated": ""}"#, passes: "", tag: "2"),
        .list(
            "twice", #"{"serialNumbers": ["%-a", "%-b", "%-a", "%-a"], "lastUpdated": "3"}"#,
            passes: "ab"),
        .list("same", #"{"serialNumbers": ["%-a"], "lastUpdated": "2"}"#, tag: "2"),
        .list("back", #"{"serialNumbers": ["%-a"], "lastUpdated": "1"}"#, tag: "1"),
        .list(
            "seconds", #"{"serialNumbers": ["%-a"], "lastUpdated": 1700000000}"#, tag: "1700000000"),
        .list(
            "fraction", #"{"serialNumbers": ["%-a"], "lastUpdated": 1700000000.25}"#,
            tag: "1700000000.25"),
        .list(
            "signs", #"{"serialNumbers": ["%-a"], "lastUpdated": "a b/?&c=#+;\u00FC\"2F"}"#,
            tag: "a b/?&c=#+;ü\"2F"),
        .list(
            "512",
            #"{"serialNumbers": ["%-a"], "lastUpdated": "\#(String(repeating: "x", count: 512))"}"#,
            tag: String(repeating: "x", count: 512)),
        // Of no pass, of a pass at another service, of one of another type.
        .list(
            "wrong", #"{"serialNumbers": ["", "%-A", "one-b", "%-a"], "lastUpdated": "3"}"#,
            message: unregistered(3)),
        .list(
            "types", #"{"serialNumbers": ["other", "nobody"], "lastUpdated": "3"}"#, passes: "",
            message: unregistered(2)),
        .list(
            "numbers", #"{"serialNumbers": [71, 7.5, "%-a"], "lastUpdated": "3"}"#,
            passes: "1a", message: unregistered(1)),
        // A service that lists a pass although it has refused to register it.
        .list("refused", #"{"serialNumbers": ["%-b", "%-c"], "lastUpdated": "3"}"#, passes: "bc"),
    ]

    private static let invalid = [
        Row.invalid("nothing", []), .invalid("null", "null".utf8), .invalid("array", "[]".utf8),
        .invalid("page", "<!DOCTYPE html><title>Log in</title>".utf8),
        .invalid("cut", #"{"serialNumbers": ["cut-a"], "lastUpda"#.utf8),
        .invalid("octets", [UInt8](#"{"serialNumbers": ["#.utf8) + [0xFF, 0xC0, 0x00]),
        .invalid("untagged", #"{"serialNumbers": ["untagged-a"]}"#.utf8),
        .invalid("empty-tag", #"{"serialNumbers": ["empty-tag-a"], "lastUpdated": ""}"#.utf8),
        .invalid(
            "tag-object", #"{"serialNumbers": ["tag-object-a"], "lastUpdated": {"a": "3"}}"#.utf8),
        .invalid(
            "long-tag",
            #"{"serialNumbers": [], "lastUpdated": "\#(String(repeating: "x", count: 513))"}"#.utf8),
        .invalid("only-tag", #"{"lastUpdated": "3"}"#.utf8),
        .invalid("object", #"{"serialNumbers": {"a": "object-a"}, "lastUpdated": "3"}"#.utf8),
        .invalid("nested", #"{"serialNumbers": [["nested-a"]], "lastUpdated": "3"}"#.utf8),
        .invalid("nulls", #"{"serialNumbers": [null], "lastUpdated": "3"}"#.utf8),
        .invalid("deep", String(repeating: #"{"serialNumbers":["#, count: 50_000).utf8),
    ]

    private static let failed =
        [304, 400, 401, 403, 404, 405, 410, 500, 501].map {
            Row(name: "\($0)", answers: [.status($0)])
        } + [Row(name: "cut-off", answers: [.list(["cut-off-a"], tag: "3").cut(after: 20)])]

    /// Lists so long that the service may send the rest in a second one.
    private static var long: [Row] {
        let others = (0..<10_000).map { "other-\($0)" }
        let tooLong = (0..<300_000).map { "other-\($0)-\($0)" }
        return [
            Row(
                name: "long",
                answers: [.list(others + ["long-a"], tag: "3"), .status(204)],
                passes: "a", lists: 2, tag: "3", message: unregistered(10_000)),
            Row(
                name: "parts",
                answers: [
                    .list(others.prefix(999) + ["parts-a"], tag: "3"),
                    .list(others.prefix(999) + ["parts-b"], tag: "4"),
                    .list(["parts-a"], tag: "5"),
                ], passes: "aab", lists: 3, tag: "5", message: unregistered(999)),
            Row(
                name: "stuck", answers: [.list(others.prefix(1000) + ["stuck-a"], tag: "2")],
                passes: "a", message: unregistered(1000)),
            // 7 MB.
            Row(name: "too-long", answers: [.list(tooLong, tag: "3")]),
        ]
    }

    @Test("whatever the list contains")
    func lists() async throws {
        let rows = Self.usual + Self.invalid + Self.failed + Self.long
        try await LoopbackServer.run { server in
            var services: [String: AnnouncingService] = [:]
            var held: [String: AnnouncingService] = [:]
            for row in rows {
                let service = AnnouncingService(on: server, at: "/\(row.name)")
                services[row.name] = service
                for letter in ["a", "b"] { held["\(row.name)-\(letter)"] = service }
            }
            held["71"] = services["numbers"]
            services["refused"]?.replace { request in
                request.method == "POST" && !request.path.hasSuffix("-a") ? .status(401) : nil
            }
            held["refused-c"] = services["refused"]
            try holder.hold(held)
            try holdOtherType(at: try #require(services["types"]))
            #expect(try holder.update().status == 0)

            for row in rows { services[row.name]?.answerLists(with: row.answers) }
            try holder.pass(hours: 1)
            let before = services.mapValues(\.requests.count)
            let result = try holder.update(["--json"])
            #expect(result.status == 0, "\(result.errors)")
            for row in rows {
                let service = try #require(services[row.name])
                let requests = service.requests.dropFirst(before[row.name] ?? 0)
                let passes = requests.filter { AnnouncingService.Kind($0) == .pass }
                #expect(
                    passes.compactMap { $0.path.last.map(String.init) }.sorted().joined()
                        == row.passes, "\(row.name)")
                let lists = requests.filter {
                    AnnouncingService.Kind($0) == .list && $0.path.hasSuffix(PassMaker.type)
                }
                #expect(lists.count == row.lists, "\(row.name)")
                let message = row.message.map { "\(PassMaker.type): \($0)" }
                #expect(Set(service.messages) == Set([message].compactMap(\.self)), "\(row.name)")
            }
            // No token is sent to another service than that of the pass.
            for request in server.requests where AnnouncingService.Kind(request) == .pass {
                let serial = request.path.split(separator: "/").last.map(String.init) ?? ""
                #expect(request["Authorization"] == "ApplePass \(PassHolder.token(serial))")
            }
            for request in server.requests where AnnouncingService.Kind(request) == .list {
                #expect(request["Authorization"] == nil)
            }

            try holder.pass(hours: 1)
            _ = try holder.update()
            for row in rows {
                let list = services[row.name]?.requests.last {
                    AnnouncingService.Kind($0) == .list && $0.path.hasSuffix(PassMaker.type)
                }
                #expect(list?.query("passesUpdatedSince") == row.tag, "\(row.name)")
            }
        }
    }

    @Test(
        "a long list without end is requested twenty times, or twice if it names the same passes",
        arguments: [(false, 20), (true, 2)])
    func endless(isSame: Bool, lists: Int) async throws {
        try await LoopbackServer.run { server in
            let service = AnnouncingService(on: server)
            try holder.hold(["1": service])
            #expect(try holder.update().status == 0)
            let serials = (1...1000).map { "\($0)" }
            service.replace { request in
                guard AnnouncingService.Kind(request) == .list else { return nil }
                let new = isSame ? [] : ["new-\(request.number)"]
                return .list(serials + new, tag: "\(request.number)")
            }
            try holder.pass(hours: 1)
            let before = (service.count(.list), service.count(.pass))
            #expect(try holder.update().status == 0)
            #expect(service.count(.list) - before.0 == lists)
            #expect(service.count(.pass) - before.1 == lists)
        }
    }

    @Test("a host that asks for a pause instead of a list gets it", arguments: [429, 503])
    func busy(status: Int) async throws {
        try await LoopbackServer.run { server in
            let service = AnnouncingService(on: server)
            try holder.hold(Dictionary(uniqueKeysWithValues: (1...9).map { ("\($0)", service) }))
            #expect(try holder.update().status == 0)
            service.replace(.list, with: .status(status, retryAfter: "7200"))
            let before = service.requests.count
            for (hours, requests) in [(1.0, 1), (1.5, 1), (1.0, 2)] {
                try holder.pass(hours: hours)
                _ = try holder.update()
                #expect(service.requests.count == before + requests)
            }
        }
    }

    @Test("a redirect of a list is followed to the same server only", arguments: [false, true])
    func redirected(isToOther: Bool) async throws {
        try await LoopbackServer.run { elsewhere in
            elsewhere.serve("/list", .list(["1"], tag: "9"))
            try await LoopbackServer.run { server in
                server.serve("/list", .list(["1"], tag: "9"))
                let service = AnnouncingService(on: server)
                try holder.hold(["1": service, "2": service])
                #expect(try holder.update().status == 0)
                let target = isToOther ? elsewhere : server
                service.replace(.list, with: .redirect(to: target.url("/list")))
                try holder.pass(hours: 1)
                let before = service.count(.pass)
                #expect(try holder.update().status == 0)
                #expect(service.count(.pass) == before + (isToOther ? 2 : 1))
                #expect(elsewhere.requests.isEmpty)
                #expect(
                    server.requests(for: "/list").map(\.line) == (isToOther ? [] : ["GET /list"]))
                #expect(try holder.rows("SELECT tag FROM tags") == [[isToOther ? "2" : "9"]])
            }
        }
    }

    /// A pass of another type, with the serial number `other`.
    private func holdOtherType(at service: AnnouncingService) throws {
        var recipe = PassHolder.recipe("other", at: service)
        recipe.type = "pass.example.other"
        let maker = try PassMaker(type: recipe.type)
        let file = holder.home.folder.appendingPathComponent("other.pkpass")
        try maker.make(recipe).write(to: file)
        let result = try holder.program.run(
            ["import", "--trust-root", maker.authority, file.path])
        try #require(result.status == 0, "\(result.errors)")
        service.publish("other", file, type: recipe.type)
    }
}

extension AnnouncingService {
    /// Answers requests for lists of passes of the usual type; the last answer is repeated.
    fileprivate func answerLists(with answers: [Answer]) {
        replace { request in
            guard Kind(request) == .list, request.path.hasSuffix(PassMaker.type) else { return nil }
            // The tag tells the parts of a list apart.
            let part = request.query("passesUpdatedSince").flatMap { Int($0) }.map { $0 - 2 } ?? 0
            return answers[min(max(part, 0), answers.count - 1)]
        }
    }
}
