import Foundation
import Loopback
import PassFixtures
import Testing

@Suite("The mistakes of a web service are reported to its log once a day, without secrets")
struct UpdateLogTests {
    private let holder: PassHolder

    init() throws {
        holder = try PassHolder("service-log")
    }

    /// A service with a pass of this serial number, and the message about its mistake.
    private struct Row {
        let serial: String
        let message: String
        var log = Answer.status(200)
        /// The hours after the first run at which there are messages.
        var hours = [0, 25, 75, 24 * 32]
    }

    private static let noDate = "the response has no Last-Modified field"

    private static let rows = [
        Row(serial: "no-date", message: noDate),
        Row(serial: "number", message: "Last-Modified is not a date of HTTP: 1700000000"),
        Row(
            serial: "again",
            message: "the server sent the pass again although it has not changed since "
                + "If-Modified-Since"),
        Row(
            serial: "another",
            message: "the server sent a different pass: \(PassMaker.type)/no-date"),
        Row(serial: "refusing", message: noDate, log: .status(404), hours: [0, 24 * 32]),
        Row(serial: "forbidding", message: noDate, log: .status(403), hours: [0, 24 * 32]),
        Row(serial: "failing", message: noDate, log: .status(500)),
    ]

    @Test("each mistake with the name of its pass")
    func once() async throws {
        try await LoopbackServer.run { server in
            var services: [String: IssuingService] = [:]
            for row in Self.rows + [Row(serial: "good", message: "")] {
                let service = IssuingService(on: server, at: "/\(row.serial)")
                services[row.serial] = service
            }
            try holder.hold(services)
            let another = try holder.maker.make(PassHolder.recipe("no-date", from: server.url()))
            for row in Self.rows {
                let service = try #require(services[row.serial])
                let recipe = PassHolder.recipe(row.serial, at: service)
                let same = Answer.pass(try holder.maker.make(recipe))
                let answer =
                    switch row.serial {
                    case "number": same.field("Last-Modified", "1700000000")
                    case "again": same.field("Last-Modified", "Tue, 14 Nov 2023 22:13:20 GMT")
                    case "another":
                        Answer.pass(another).field("Last-Modified", "Wed, 15 Nov 2023 22:13:20 GMT")
                    default: same
                    }
                service.replace { request in
                    switch IssuingService.Kind(request) {
                    case .pass: answer
                    case .log: row.log
                    default: nil
                    }
                }
            }
            var program = holder.program
            program.environment = ["LC_ALL": "C.UTF-8", "LANGUAGE": "ru"]
            var hour = 0
            for next in [0, 2, 23, 25, 75, 24 * 32] {
                try holder.pass(hours: Double(next - hour))
                hour = next
                let before = services.mapValues(\.messages.count)
                _ = try program.run(
                    ["update", "--all", "--trust-root", holder.maker.authority]
                        + PassHolder.onLoopback)
                for row in Self.rows {
                    let messages = services[row.serial]?.messages
                        .dropFirst(before[row.serial] ?? 0)
                    let expected = "\(PassMaker.type)/\(row.serial): \(row.message)"
                    #expect(
                        messages.map(Array.init) == (row.hours.contains(hour) ? [expected] : []),
                        "\(row.serial), hour \(hour)")
                }
            }
            #expect(services["good"]?.count(.log) == 0)
            for request in server.requests where IssuingService.Kind(request) == .log {
                #expect(request["Authorization"] == nil)
            }
        }
    }

    @Test("messages contain no token or path, and there are at most twenty")
    func contents() async throws {
        try await LoopbackServer.run { server in
            let service = IssuingService(on: server)
            let serials = (1...30).map { "\($0)" }
            try holder.hold(Dictionary(uniqueKeysWithValues: serials.map { ($0, service) }))
            let bodies: [Answer] = [
                .page("<title>\(holder.home.folder.path)</title>"), .bytes([]),
                .bytes([0x50, 0x4B, 3, 4]), .generated(1000),
                .pass(
                    try holder.maker.make(PassHolder.recipe("1", at: service, version: -1))),
                .pass(
                    try PassMaker(authority: .otherRoot).make(
                        PassHolder.recipe("1", at: service, version: 1))),
            ]
            service.replace { request in
                IssuingService.Kind(request) == .pass
                    ? bodies[request.number % bodies.count] : nil
            }
            _ = try holder.update()
            #expect(service.count(.log) == 1)
            #expect(service.messages.count == 20)
            let secrets = [
                "secret-of", holder.home.folder.path, holder.home.folder.lastPathComponent,
                "/tmp", "ApplePass", NSUserName(),
            ]
            for message in service.messages {
                #expect(message.hasPrefix("\(PassMaker.type)/"))
                #expect(message.utf8.count < 1000)
                for secret in secrets { #expect(!message.contains(secret), "\(message)") }
            }
        }
    }

    @Test("a service gets one request for each pass that is due, and one message a day")
    func requests() async throws {
        try await LoopbackServer.run { server in
            let service = IssuingService(on: server)
            let serials = (1...20).map { "\($0)" }
            try holder.hold(Dictionary(uniqueKeysWithValues: serials.map { ($0, service) }))
            let file = try holder.maker.make(PassHolder.recipe("1", at: service))
            service.replace { request in
                request.path.hasSuffix("/1") ? .pass(file) : nil
            }
            for _ in 0..<23 {
                #expect(try holder.update().status == 0)
                try holder.pass(hours: 1)
            }
            #expect(service.count(.pass) == 23 * 20)
            #expect(service.requests.count == 23 * 20 + 1)
        }
    }
}
