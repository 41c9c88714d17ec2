import Foundation
import Loopback
import PassFixtures
import Synchronization
import Testing

/// The web service of an issuer on a loopback server, which answers requests for passes and takes
/// messages for its log. Each answer can be replaced.
final class IssuingService: Sendable {
    private struct Published {
        let file: String
        let date: Date
    }

    private struct State {
        var passes: [String: Published] = [:]
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

    /// Replaces the answers to requests for which `answer` returns one.
    func replace(_ answer: @escaping @Sendable (RecordedRequest) -> Answer?) {
        state.withLock { $0.replacement = answer }
    }

    /// Replaces all answers to requests of a kind.
    func replace(_ kind: Kind, with answer: Answer) {
        replace { request in Kind(request) == kind ? answer : nil }
    }

    func publish(_ serial: String, _ file: URL, modified date: Date = PassHolder.signed) {
        state.withLock { $0.passes[serial] = Published(file: file.path, date: date) }
    }

    /// The serial numbers of the published passes.
    var serials: [String] { state.withLock { $0.passes.keys.sorted() } }

    /// The requests so far.
    var requests: [RecordedRequest] {
        server.requests.filter { $0.path.hasPrefix("\(base)/v1/") }
    }

    enum Kind {
        case pass, log, other

        init(_ request: RecordedRequest) {
            let words = request.path.split(separator: "/").drop { $0 != "v1" }.dropFirst()
            self =
                switch (words.first, words.count) {
                case ("passes", 3): .pass
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
            let serial = request.path.split(separator: "/").last.map(String.init) ?? ""
            switch Kind(request) {
            case .pass:
                guard let pass = state.passes[serial] else { return .status(401) }
                return .passFile(pass.file).modified(pass.date)
                    .guarded(by: PassHolder.token(serial))
            case .log: return .status(200)
            case .other: return .status(404)
            }
        }
    }
}

extension PassHolder {
    /// The first version of a pass of a service, or one signed `version` hours later.
    static func recipe(_ serial: String, at service: IssuingService, version: Int = 0)
        -> PassRecipe
    {
        recipe(serial, from: service.url, gate: "\(version)", hours: Double(version))
    }

    /// Makes passes, publishes them at their services, and adds them to the library.
    func hold(_ serials: [String: IssuingService]) throws {
        let folder = home.folder.appendingPathComponent("held-\(UUID().uuidString)")
        try maker.make(serials.map { Self.recipe($0, at: $1) }, in: folder)
        let result = try program.run(["import", "--trust-root", maker.authority, folder.path])
        guard result.status == 0 else { throw Failed(errors: result.errors) }
        for (serial, service) in serials {
            service.publish(serial, folder.appendingPathComponent("\(serial).pkpass"))
        }
    }

    /// Publishes newer versions of passes, signed `version` hours after the first ones.
    func publish(_ serials: [String], at service: IssuingService, version: Int) throws {
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
