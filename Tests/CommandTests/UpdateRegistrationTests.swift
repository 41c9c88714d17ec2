import Foundation
import Loopback
import PassFixtures
import Testing

@Suite("Passes are registered only where the service announces events, and without a push token")
struct UpdateRegistrationTests {
    private let holder: PassHolder

    init() throws {
        holder = try PassHolder("registrations")
    }

    private static let list = "GET /v1/devices/DEVICE/registrations/\(PassMaker.type)"
    private static let registration = "/v1/devices/DEVICE/registrations/\(PassMaker.type)"
    private static let answers = "GET /v1/passes/\(PassMaker.type)"

    @Test("a pass is requested again after its registration, and from then on if a list names it")
    func steps() async throws {
        try await LoopbackServer.run { server in
            let service = AnnouncingService(on: server)
            try holder.hold(["1": service])
            let first = try holder.update(["--json"])
            #expect(holder.outcomes(first) == ["1": "unchanged 304"])
            #expect(
                service.requests.map(\.line) == [
                    "\(Self.answers)/1 with token", "POST \(Self.registration)/1 with token",
                    Self.list, "\(Self.answers)/1 with token",
                ])

            try holder.publish(["1"], at: service, version: 1)
            try holder.pass(hours: 1)
            #expect(holder.outcomes(try holder.update(["--json"])) == ["1": "updated 200"])
            try holder.pass(hours: 1)
            #expect(holder.outcomes(try holder.update(["--json"])) == ["1": "unchanged"])
            // Not due.
            #expect(holder.outcomes(try holder.update(["--json"])) == [:])
            // Requested by the user.
            let named = try holder.update(["--json", "\(PassMaker.type)/1"])
            #expect(holder.outcomes(named) == ["1": "unchanged 304"])
            #expect(
                service.requests.dropFirst(4).map(\.line) == [
                    "\(Self.list)?passesUpdatedSince=1", "\(Self.answers)/1 with token",
                    "\(Self.list)?passesUpdatedSince=2", "\(Self.answers)/1 with token",
                ])
            #expect(service.count(.log) == 0)
        }
    }

    @Test("the device identifier has 128 random bits, differs per host, and stays the same")
    func devices() async throws {
        try await LoopbackServer.run { server in
            let services = [
                AnnouncingService(on: server, at: "/a"), AnnouncingService(on: server, at: "/b"),
                AnnouncingService(on: server, at: "/c", host: "localhost"),
            ]
            try holder.hold(["1": services[0], "2": services[1], "3": services[2]])
            for _ in 1...3 {
                #expect(try holder.update().status == 0)
                try holder.pass(hours: 49)
            }
            let devices = services.map { service in
                let paths = service.requests.map { $0.path.split(separator: "/").map(String.init) }
                return Set(paths.filter { $0.dropFirst(2).first == "devices" }.map { $0[3] })
            }
            #expect(devices.allSatisfy { $0.count == 1 })
            #expect(devices[0] == devices[1])
            let all = Set(devices.joined())
            try #require(all.count == 2, "each host has its own")
            #expect(all.allSatisfy { $0.wholeMatch(of: /[0-9a-f]{32}/) != nil })
            // Half of the bits differ, give or take six standard deviations.
            let numbers = all.map { device in
                stride(from: 0, to: 32, by: 8).map { offset in
                    UInt32(device.dropFirst(offset).prefix(8), radix: 16) ?? 0
                }
            }
            let bits = zip(numbers[0], numbers[1]).map { ($0 ^ $1).nonzeroBitCount }.reduce(0, +)
            #expect((30...98).contains(bits))
            for request in server.requests where AnnouncingService.Kind(request) == .registration {
                #expect(String(decoding: request.body, as: UTF8.self) == #"{"events":true}"#)
            }
        }
    }

    @Test("without version 1 of the announcement, passes are requested as before, and nothing else")
    func unannounced() async throws {
        let values: [String?] = [nil, "2", "01", "1.0", "1, 2", "true", "one", ""]
        try await LoopbackServer.run { server in
            var held: [String: AnnouncingService] = [:]
            for (number, value) in values.enumerated() {
                let service = AnnouncingService(on: server, at: "/\(number)")
                service.announce(value)
                for pass in 1...2 { held["\(number)-\(pass)"] = service }
            }
            try holder.hold(held)
            for round in 1...3 {
                #expect(try holder.update().status == 0)
                #expect(server.requests.count == round * held.count)
                try holder.pass(hours: 25)
            }
            for request in server.requests {
                #expect(request.method == "GET")
                #expect(AnnouncingService.Kind(request) == .pass)
            }
            #expect(try holder.rows("SELECT * FROM devices") == [])
        }
    }

    @Test("a service that refuses a registration is asked for each pass, and registered with later")
    func refusals() async throws {
        try await LoopbackServer.run { elsewhere in
            elsewhere.serve(under: "/") { _ in .status(200) }
            let other = elsewhere.url("/taken", host: "localhost")
            // Whether the registration is new, known or refused, or tried again in the next run.
            let rows: [(name: String, answer: Answer, result: String)] =
                [("201", .status(201), "new")]
                + [200, 204].map { ("\($0)", .status($0), "known") }
                + [400, 401, 403, 404, 405, 410, 500].map { ("\($0)", .status($0), "refused") }
                + [301, 302, 303, 307, 308].map {
                    ("\($0)", .redirect(to: other, $0), "refused")
                } + [("503", .status(503), "again")]
            try await LoopbackServer.run { server in
                var services: [String: AnnouncingService] = [:]
                for row in rows {
                    let service = AnnouncingService(on: server, at: "/\(row.name)")
                    services[row.name] = service
                    service.replace { request in
                        request.method == "POST" ? row.answer : nil
                    }
                }
                try holder.hold(services)
                // In the first run, an hour later, and after more than two days.
                let expected = [
                    "new": [[2, 1, 1], [0, 0, 1], [1, 1, 1]],
                    "known": [[2, 1, 1], [0, 0, 1], [0, 1, 1]],
                    "refused": [[2, 1, 0], [1, 0, 0], [1, 1, 0]],
                    "again": [[2, 1, 0], [1, 1, 0], [1, 1, 0]],
                ]
                for round in 0..<3 {
                    let before = services.mapValues(\.requests.count)
                    let result = try holder.update()
                    #expect(result.status == 0, "\(result.errors)")
                    for row in rows {
                        let requests = try #require(services[row.name]).requests
                            .dropFirst(before[row.name] ?? 0)
                        let kinds = [.pass, .registration, .list].map { kind in
                            requests.count { AnnouncingService.Kind($0) == kind }
                        }
                        #expect(kinds == expected[row.result]?[round], "\(row.name) \(round)")
                        #expect(requests.count == kinds.reduce(0, +), "\(row.name) \(round)")
                    }
                    try holder.pass(hours: round == 0 ? 1 : 49)
                }
                let posts = server.requests.filter { $0.method == "POST" }
                for post in posts {
                    let serial = post.path.split(separator: "/").last.map(String.init) ?? ""
                    #expect(
                        post["Authorization"] == "ApplePass \(PassHolder.token(serial))")
                }
            }
            // No token, no body and no identifier arrives there.
            #expect(elsewhere.requests.isEmpty)
        }
    }

    @Test("the registration of a removed pass is ended, with the token, until the service agrees")
    func removal() async throws {
        try await LoopbackServer.run { elsewhere in
            let other = elsewhere.url("/taken", host: "localhost")
            let ended = [200, 204, 401, 404, 410].map { ("\($0)", Answer.status($0)) }
            let notEnded =
                [400, 403, 500].map { ("\($0)", Answer.status($0)) }
                + [302, 307].map { ("\($0)", Answer.redirect(to: other, $0)) }
            try await LoopbackServer.run { server in
                var services: [String: AnnouncingService] = [:]
                for (name, answer) in ended + notEnded {
                    let service = AnnouncingService(on: server, at: "/\(name)")
                    services[name] = service
                    service.replace { $0.method == "DELETE" ? answer : nil }
                }
                try holder.hold(services.merging(["stays": AnnouncingService(on: server)]) { $1 })
                #expect(try holder.update().status == 0)
                let names = services.keys.map { "\(PassMaker.type)/\($0)" }
                #expect(try holder.program.run(["remove", "--yes"] + names).status == 0)

                func deletes(_ expected: [(String, Answer)], _ comment: Comment) throws {
                    let before = server.requests.count
                    #expect(try holder.update().status == 0)
                    let lines = server.requests.dropFirst(before).map(\.line)
                    let wanted = expected.map { name, _ in
                        "DELETE /\(name)\(Self.registration)/\(name) with token"
                    }
                    #expect(lines.sorted() == wanted.sorted(), comment)
                }
                try deletes(ended + notEnded, "at once")
                try deletes([], "not immediately afterwards")
                let count = "SELECT count(*) FROM registrations"
                #expect(try holder.rows(count) == [["\(notEnded.count + 1)"]])
                try holder.change("UPDATE registrations SET dueAt = 0 WHERE state = 'leaving'")
                try deletes(notEnded, "later")
                try holder.change(
                    """
                    UPDATE registrations SET dueAt = 0, attempts = 20 WHERE state = 'leaving'
                    """)
                try deletes(notEnded, "for the last time")
                #expect(try holder.rows(count) == [["1"]])
                for delete in server.requests where delete.method == "DELETE" {
                    let serial = delete.path.split(separator: "/").last.map(String.init) ?? ""
                    #expect(
                        delete["Authorization"] == "ApplePass \(PassHolder.token(serial))")
                }
            }
            #expect(elsewhere.requests.isEmpty)
        }
    }

    @Test("a service that no longer announces events is asked for each pass again")
    func withdrawn() async throws {
        try await LoopbackServer.run { server in
            let service = AnnouncingService(on: server)
            let serials = (1...5).map { "\($0)" }
            try holder.hold(Dictionary(uniqueKeysWithValues: serials.map { ($0, service) }))
            #expect(try holder.update().status == 0)
            service.announce(nil)
            service.replace { request in
                AnnouncingService.Kind(request) == .pass ? nil : .status(404)
            }
            func update() throws -> [Int] {
                try holder.pass(hours: 1)
                let before = service.requests.count
                #expect(
                    holder.outcomes(try holder.update(["--json"])).values.allSatisfy {
                        $0.hasPrefix("unchanged")
                    })
                let requests = service.requests.dropFirst(before)
                return [.pass, .list].map { kind in
                    requests.count { AnnouncingService.Kind($0) == kind }
                } + [requests.count]
            }
            #expect(try update() == [5, 1, 6])
            #expect(try update() == [5, 0, 5])
            // Later it announces them again.
            service.announce("1")
            service.replace { _ in nil }
            service.forgetRegistrations()
            for _ in 1...2 { _ = try update() }
            #expect(service.registered == Set(serials))
            try holder.publish(["3"], at: service, version: 1)
            try holder.pass(hours: 1)
            let last = try holder.update(["--json"])
            #expect(last.records.last?["updated"] as? Int == 1)
        }
    }

    @Test("registrations are confirmed within two days, and cost one list")
    func confirmation() async throws {
        try await LoopbackServer.run { server in
            let service = AnnouncingService(on: server)
            let serials = (1...20).map { "\($0)" }
            try holder.hold(Dictionary(uniqueKeysWithValues: serials.map { ($0, service) }))
            #expect(try holder.update().status == 0)
            try holder.publish(["7"], at: service, version: 1)
            try holder.pass(hours: 49)
            let before = service.requests.count
            let result = try holder.update(["--json"])
            #expect(result.records.last?["updated"] as? Int == 1)
            #expect(result.records.last?["unchanged"] as? Int == 19)
            let requests = service.requests.dropFirst(before)
            #expect(
                [.registration, .list, .pass].map { kind in
                    requests.count { AnnouncingService.Kind($0) == kind }
                } == [20, 1, 1])
            #expect(requests.count == 22)
        }
    }

    @Test("a host that asks for a pause is not contacted again in the run, not even to register")
    func busy() async throws {
        try await LoopbackServer.run { server in
            let service = AnnouncingService(on: server)
            let serials = (1...9).map { "\($0)" }
            try holder.hold(Dictionary(uniqueKeysWithValues: serials.map { ($0, service) }))
            service.replace { request in
                request.number == 3 ? .status(503, retryAfter: "7200") : nil
            }
            _ = try holder.update()
            // Others may have been sent before this answer arrived; without it there would be 18.
            let sent = service.requests.count
            #expect((4..<18).contains(sent))
            try holder.pass(hours: 1)
            _ = try holder.update()
            #expect(service.requests.count <= sent + 1)
            try holder.pass(hours: 2)
            _ = try holder.update()
            #expect(service.registered == Set(serials))
            // Refuses a list in the same way, while registrations are in progress.
            let before = service.requests.count
            service.replace { request in
                AnnouncingService.Kind(request) == .list
                    ? .status(503, retryAfter: "7200") : nil
            }
            try holder.pass(hours: 49)
            _ = try holder.update()
            let rest = service.requests.dropFirst(before).drop {
                AnnouncingService.Kind($0) != .list
            }
            #expect((1...2).contains(rest.count))
        }
    }

    @Test("a service that has lost its registrations learns of them within two days")
    func lost() async throws {
        try await LoopbackServer.run { server in
            let service = AnnouncingService(on: server)
            try holder.hold(["1": service])
            #expect(try holder.update().status == 0)
            service.forgetRegistrations()
            try holder.publish(["1"], at: service, version: 1)
            try holder.pass(hours: 49)
            #expect(holder.outcomes(try holder.update(["--json"])) == ["1": "updated 200"])
            #expect(service.registered == ["1"])
        }
    }

    @Test("a version with another token or service is registered with them, and the old one ended")
    func changed() async throws {
        try await LoopbackServer.run { server in
            let old = AnnouncingService(on: server, at: "/old")
            let new = AnnouncingService(on: server, at: "/new")
            try holder.hold(["1": old, "2": old])
            #expect(try holder.update().status == 0)
            // Pass 1 has another service, pass 2 another token.
            var moved = PassHolder.recipe("1", at: new, version: 1)
            var renewed = PassHolder.recipe("2", at: old, version: 1)
            moved.file = "moved.pkpass"
            renewed.authenticationToken = "another-secret"
            try holder.add([moved, renewed])
            let file = holder.home.folder.appendingPathComponent("moved.pkpass")
            try holder.maker.make(moved).write(to: file)
            new.publish("1", file, modified: PassHolder.signed.addingTimeInterval(3600))
            let before = server.requests.count
            _ = try holder.update()
            let requests = server.requests.dropFirst(before)
            #expect(
                requests.filter { AnnouncingService.Kind($0) == .registration }.map {
                    "\($0.line) \($0["Authorization"] ?? "")"
                }.sorted() == [
                    "DELETE /old\(Self.registration)/1 with token ApplePass secret-of-1",
                    "POST /new\(Self.registration)/1 with token ApplePass secret-of-1",
                    "POST /old\(Self.registration)/2 with token ApplePass another-secret",
                ])
            #expect(new.registered == ["1"])
        }
    }
}
