import Foundation
import Loopback
import PassFixtures
import Synchronization
import Testing

/// The web service of an issuer on a loopback server. It announces an event stream, and answers
/// registrations, lists and messages for its log as passconduit-events(7) describes. Its stream is
/// answered with 404, and each answer can be replaced.
final class AnnouncingService: Sendable {
    private struct Published {
        let type: String
        let file: String
        let date: Date
        let tag: Int
    }

    private struct State {
        var announcement: String? = "1"
        var passes: [String: Published] = [:]
        var tag = 0
        /// The serial numbers for which each device is registered.
        var registered: [String: Set<String>] = [:]
        var replacement: @Sendable (RecordedRequest) -> Answer? = { _ in nil }
    }

    let url: String
    private let server: LoopbackServer
    private let base: String
    private let state = Mutex(State())

    /// - Parameter base: The path of its `webServiceURL`.
    init(on server: LoopbackServer, at base: String = "", host: String? = nil) {
        self.server = server
        self.base = base
        url = server.url(base.isEmpty ? "/" : base, host: host)
        server.serve(under: "\(base)/v1/") { request in self.answer(request) }
    }

    /// The value of Passconduit-Events.
    func announce(_ value: String?) { state.withLock { $0.announcement = value } }

    /// Replaces the answers to requests for which `answer` returns one.
    func replace(_ answer: @escaping @Sendable (RecordedRequest) -> Answer?) {
        state.withLock { $0.replacement = answer }
    }

    /// Replaces all answers to requests of a kind.
    func replace(_ kind: Kind, with answer: Answer) {
        replace { request in Kind(request) == kind ? answer : nil }
    }

    /// - Returns: The tag after the publication.
    @discardableResult
    func publish(
        _ serial: String, _ file: URL, modified date: Date = PassHolder.signed,
        type: String = PassMaker.type
    ) -> Int {
        state.withLock { state in
            state.tag += 1
            state.passes[serial] = Published(
                type: type, file: file.path, date: date, tag: state.tag)
            return state.tag
        }
    }

    /// Forgets all registrations, as after the loss of its database.
    func forgetRegistrations() { state.withLock { $0.registered = [:] } }

    /// The serial numbers of the published passes.
    var serials: [String] { state.withLock { $0.passes.keys.sorted() } }

    /// The serial numbers for which any device is registered.
    var registered: Set<String> {
        state.withLock { state in state.registered.values.reduce(into: []) { $0.formUnion($1) } }
    }

    /// The requests so far.
    var requests: [RecordedRequest] {
        server.requests.filter { $0.path.hasPrefix("\(base)/v1/") }
    }

    enum Kind {
        case pass, registration, list, events, log, other

        init(_ request: RecordedRequest) {
            let words = request.path.split(separator: "/").drop { $0 != "v1" }.dropFirst()
            self =
                switch (words.first, words.count) {
                case ("passes", 3): .pass
                case ("devices", 5): .registration
                case ("devices", 4): .list
                case ("devices", 3): .events
                case ("log", 1): .log
                default: .other
                }
        }
    }

    func count(_ kind: Kind) -> Int { requests.count { Kind($0) == kind } }

    /// The messages for the log.
    var messages: [String] {
        requests.filter { Kind($0) == .log }.flatMap { request in
            let body = try? JSONSerialization.jsonObject(with: Data(request.body))
            return (body as? [String: [String]])?["logs"] ?? ["not messages"]
        }
    }

    private func answer(_ request: RecordedRequest) -> Answer {
        state.withLock { state in
            if let answer = state.replacement(request) { return answer }
            let answer = answer(request, &state)
            return state.announcement.map { answer.field("Passconduit-Events", $0) } ?? answer
        }
    }

    private func answer(_ request: RecordedRequest, _ state: inout State) -> Answer {
        let words = request.path.split(separator: "/").map(String.init).drop { $0 != "v1" }
        let serial = words.last ?? ""
        let token = request["Authorization"]
        switch Kind(request) {
        case .pass:
            guard let pass = state.passes[serial] else { return .status(401) }
            return .passFile(pass.file).modified(pass.date).guarded(by: PassHolder.token(serial))
        case .registration:
            guard token == "ApplePass \(PassHolder.token(serial))" else { return .status(401) }
            let device = words.dropFirst(2).first ?? ""
            if request.method == "DELETE" {
                return .status(state.registered[device]?.remove(serial) == nil ? 401 : 200)
            }
            guard request.body == Array(#"{"events":true}"#.utf8) else { return .status(400) }
            let isNew = state.registered[device, default: []].insert(serial).inserted
            return .status(isNew ? 201 : 200)
        case .list:
            let device = words.dropFirst(2).first ?? ""
            let since = request.query("passesUpdatedSince").flatMap { Int($0) } ?? 0
            let changed = state.passes.filter { serial, pass in
                pass.type == words.last && pass.tag > since
                    && state.registered[device]?.contains(serial) == true
            }
            guard !changed.isEmpty else { return .status(204) }
            return .list(changed.keys.sorted(), tag: "\(state.tag)")
        case .log: return .status(200)
        case .events, .other: return .status(404)
        }
    }
}

extension Answer {
    static func json(_ text: String) -> Answer { .bytes(text.utf8, type: "application/json") }

    /// A list of changed passes.
    static func list(_ serials: [String], tag: String) -> Answer {
        let body = try? JSONEncoder().encode(List(serialNumbers: serials, lastUpdated: tag))
        return .bytes(body ?? Data(), type: "application/json")
    }

    private struct List: Encodable {
        let serialNumbers: [String]
        let lastUpdated: String
    }
}

extension RecordedRequest {
    /// A parameter of the query.
    func query(_ name: String) -> String? {
        let items = URLComponents(string: target)?.queryItems
        return items?.first { $0.name == name }?.value
    }

    /// The method and target, with `DEVICE` instead of a random identifier, and whether it has a
    /// token.
    var line: String {
        let target = target.replacing(/\/devices\/[0-9a-f]{32}\//, with: "/devices/DEVICE/")
        return "\(method) \(target)\(self["Authorization"] == nil ? "" : " with token")"
    }
}

extension PassHolder {
    /// The first version of a pass of a service, or one signed `version` hours later.
    static func recipe(_ serial: String, at service: AnnouncingService, version: Int = 0)
        -> PassRecipe
    {
        recipe(serial, from: service.url, gate: "\(version)", hours: Double(version))
    }

    /// Makes passes, publishes them at their services, and adds them to the library.
    func hold(_ serials: [String: AnnouncingService]) throws {
        let folder = home.folder.appendingPathComponent("held-\(UUID().uuidString)")
        try maker.make(serials.map { Self.recipe($0, at: $1) }, in: folder)
        let result = try program.run(["import", "--trust-root", maker.authority, folder.path])
        guard result.status == 0 else { throw Failed(errors: result.errors) }
        for (serial, service) in serials {
            service.publish(serial, folder.appendingPathComponent("\(serial).pkpass"))
        }
    }

    /// Publishes newer versions of passes, signed `version` hours after the first ones.
    func publish(_ serials: [String], at service: AnnouncingService, version: Int) throws {
        let folder = home.folder.appendingPathComponent("published-\(UUID().uuidString)")
        try maker.make(
            serials.map { Self.recipe($0, at: service, version: version) }, in: folder)
        for serial in serials {
            service.publish(
                serial, folder.appendingPathComponent("\(serial).pkpass"),
                modified: Self.signed.addingTimeInterval(Double(version) * 3600))
        }
    }

    /// Changes the library as if hours had passed.
    func pass(hours: Double) throws {
        let seconds = hours * 3600
        try change(
            """
            UPDATE updates SET askedAt = max(askedAt - \(seconds), 0), dueAt = dueAt - \(seconds);
            UPDATE registrations SET dueAt = dueAt - \(seconds);
            UPDATE services SET logAt = logAt - \(seconds);
            """)
    }

    /// The rows that a query of the index returns, with all values as text.
    func rows(_ query: String) throws -> [[String]] {
        let script = """
            import json, sqlite3, sys
            with sqlite3.connect(sys.argv[1]) as index:
                print(json.dumps([[str(v) for v in row] for row in index.execute(sys.argv[2])]))
            """
        let index = home.library.appendingPathComponent("library.sqlite").path
        let run = try program.execute(
            "/usr/bin/python3", ["-c", script, index, query], input: Data())
        guard run.status == 0 else { throw Failed(errors: run.errors) }
        return try JSONDecoder().decode([[String]].self, from: Data(run.output.utf8))
    }
}
