import Foundation
import Loopback
import PassFixtures
import Testing

@Suite("update stores newer versions from the issuer and nothing else")
struct UpdateTests {
    private let holder: PassHolder

    init() throws {
        holder = try PassHolder("update")
    }

    private static let day = Date(timeIntervalSince1970: 1_710_000_000)
    private static let dayField = "Sat, 09 Mar 2024 16:00:00 GMT"

    @Test("a newer version is stored, and the change is reported in the issuer's words")
    func newer() async throws {
        try await LoopbackServer.run { server in
            let base = server.url("/wallet/")
            try holder.add([PassHolder.recipe("1", from: base)])
            let newer = try holder.maker.make(
                PassHolder.recipe("1", from: base, gate: "7", hours: 1))
            server.serve(
                type: PassMaker.type, serial: "1", at: "/wallet",
                .pass(newer).guarded(by: PassHolder.token("1")).modified(Self.day))
            let result = try holder.update()
            #expect(result.status == 0)
            #expect(result.errors == "")
            #expect(result.lines.count == 1)
            let line = try #require(result.lines.first)
            #expect(line.hasPrefix("updated  "))
            #expect(line.hasSuffix("\(PassMaker.type)/1 - Gate changed to 7"))
            #expect(try holder.gate("1") == "7")

            // The first request sends the signing time, the next one the server's time.
            let again = try holder.update(["--all", "--json"])
            #expect(holder.outcomes(again) == ["1": "unchanged 304"])
            let requests = server.requests
            #expect(
                requests.map { $0["If-Modified-Since"] } == [PassHolder.signedField, Self.dayField])
            #expect(requests.allSatisfy { $0.path == PassHolder.path("1", at: "/wallet") })
            #expect(requests.allSatisfy { $0["Authorization"] == "ApplePass secret-of-1" })
            let history = try holder.program.run(["show", "--json", "--history", "1"]).records
            #expect((history.first?["versions"] as? [Any])?.count == 2)
        }
    }

    @Test(
        "a response that is not a newer version of the pass is refused, and the library unchanged"
    )
    func refused() async throws {
        try await LoopbackServer.run { server in
            let base = server.url()
            let serials = [
                "older", "other", "untrusted", "unsigned", "tampered", "page", "bundle", "empty",
            ]
            try holder.add(serials.map { PassHolder.recipe($0, from: base, hours: 5) })
            let stranger = try PassMaker(authority: .otherRoot)
            func newer(_ serial: String, by maker: PassMaker, hours: Double = 6) throws -> Data {
                try maker.make(PassHolder.recipe(serial, from: base, gate: "9", hours: hours))
            }
            var bodies: [String: Data] = [
                "older": try newer("older", by: holder.maker, hours: 4),
                "other": try newer("another", by: holder.maker),
                "untrusted": try newer("untrusted", by: stranger), "empty": Data(),
                "page": Data("<!DOCTYPE html><html><body>Log in</body></html>".utf8),
            ]
            try bodies["tampered"] = changed(newer("tampered", by: holder.maker), "tampered")
            try bodies["unsigned"] = changed(newer("unsigned", by: holder.maker), "unsigned")
            try bodies["bundle"] = changed(newer("bundle", by: holder.maker), "bundle")
            for (serial, body) in bodies {
                server.serve(
                    type: PassMaker.type, serial: serial, .pass(body).modified(Self.day))
            }
            let before = try holder.program.run(["list", "--json"]).output
            let result = try holder.update(["--json"])
            #expect(result.status == 2)
            #expect(
                holder.outcomes(result) == [
                    "older": "refused 200 older", "other": "refused 200 another-pass",
                    "untrusted": "refused 200 untrusted", "unsigned": "refused 200 unsigned",
                    "tampered": "refused 200 tampered", "page": "refused 200 malformed",
                    "bundle": "refused 200 not-a-pass", "empty": "refused 200 malformed",
                ])
            #expect(try holder.program.run(["list", "--json"]).output == before)
            #expect(
                result.errors.contains(
                    "v1/passes/\(PassMaker.type)/other: the server sent a different pass: "
                        + "\(PassMaker.type)/another\n"))
            #expect(result.errors.contains("(it looks like text/html)"))

            // The time of a refused version is not sent.
            _ = try holder.update(["--all"])
            let conditions = Set(server.requests.compactMap { $0["If-Modified-Since"] })
            #expect(conditions == ["Wed, 15 Nov 2023 03:13:20 GMT"])
            let files = try FileManager.default.contentsOfDirectory(
                atPath: holder.home.library.appendingPathComponent("updates").path)
            #expect(files == [])
        }
    }

    @Test("a server that ignores the condition sends the same version, which counts as unchanged")
    func unconditional() async throws {
        try await LoopbackServer.run { server in
            let pass = try holder.maker.make(PassHolder.recipe("1", from: server.url()))
            try holder.home.write(pass, to: "mail/1.pkpass")
            let imported = try holder.program.run(
                ["import", "--trust-root", holder.maker.authority, "mail"])
            try #require(imported.status == 0, "\(imported.errors)")
            let listed = try holder.program.run(["list", "--json"]).output
            server.serve(type: PassMaker.type, serial: "1", .pass(pass))
            #expect(holder.outcomes(try holder.update(["--json"])) == ["1": "unchanged 200"])
            #expect(
                holder.outcomes(try holder.update(["--json", "--all"])) == ["1": "unchanged 200"])
            #expect(try holder.program.run(["list", "--json"]).output == listed)
            // Without a Last-Modified date, both requests send the signing time.
            #expect(
                server.requests(for: PassHolder.path("1")).map { $0["If-Modified-Since"] }
                    == [PassHolder.signedField, PassHolder.signedField])
        }
    }

    @Test("a pass's secret is sent to no other host and never printed")
    func redirected() async throws {
        let certificate = try ServerCertificate()
        let authority = try ServerAuthority.path
        let program = Program(home: holder.home, environment: ["SSL_CERT_FILE": authority])
        try await LoopbackServer.run(certificate: certificate) { server in
            let elsewhere = server.url("/elsewhere", host: "localhost")
            try holder.add([
                PassHolder.recipe("1", from: server.url()),
                PassHolder.recipe("2", from: server.url("/a?key=hidden")),
            ])
            server.serve(
                type: PassMaker.type, serial: "1", .redirect(to: elsewhere, 301))
            let newer = try holder.maker.make(
                PassHolder.recipe("1", from: server.url(), gate: "8", hours: 1))
            server.serve("/elsewhere", .pass(newer))
            let result = try program.run(
                ["update", "--json", "--allow-private", "--trust-root", holder.maker.authority])
            #expect(holder.outcomes(result)["1"] == "updated 200")
            let requests = server.requests
            let second = try #require(requests.first { $0.path == "/elsewhere" })
            #expect(second["Host"]?.hasPrefix("localhost:") == true)
            #expect(second["Authorization"] == nil)
            #expect(requests.first { $0.path == PassHolder.path("1") }?["Authorization"] != nil)
            // The redirect is not stored, since the signed pass contains the URL to request.
            _ = try program.run(
                ["update", "--all", "--allow-private", "--trust-root", holder.maker.authority])
            #expect(server.requests(for: PassHolder.path("1")).count == 2)
            #expect(requests.contains { $0.target.hasSuffix("/2?key=hidden") })
            for text in [result.output, result.errors] {
                #expect(!text.contains("secret-of-"))
                #expect(!text.contains("hidden"))
            }
        }
    }

    @Test("http is used only with --allow-http")
    func insecure() async throws {
        try await LoopbackServer.run { server in
            try holder.add([PassHolder.recipe("1", from: server.url())])
            let due = try holder.update(["--json"], ["--allow-private"])
            #expect(due.status == 0)
            #expect(due.records.last?["insecure"] as? Int == 1)
            let named = try holder.update(["1"], ["--allow-private"])
            #expect(named.status == 2)
            #expect(named.errors.contains("--allow-http"))
            #expect(server.requests.isEmpty)
        }
    }

    @Test(
        "a named pass that cannot be updated is reported",
        arguments: [("unsigned", "not-trusted"), ("trusted", "no-web-service")])
    func named(kind: String, code: String) throws {
        let passes = try TestPasses.make()
        let program = holder.program
        _ = try program.run(
            ["import", "--accept", "unsigned"] + passes.trust + [passes.path("\(kind).pkpass")])
        let result = try program.run(["update", "--json", "1"])
        #expect(result.status == 2)
        #expect(holder.outcomes(result).values.first == "failed \(code)")
        #expect(try program.run(["update"]).status == 0)
        #expect(try program.run(["update", "nobody"]).status == 1)
    }

    /// An invalid pass.
    private func changed(_ pass: Data, _ how: String) throws -> Data {
        let file = "\(how).pkpass"
        try holder.home.write(pass, to: file)
        let script = """
            import io, sys, zipfile
            how, name = sys.argv[1:]
            old = zipfile.ZipFile(name)
            files = {n: old.read(n) for n in old.namelist()}
            if how == "tampered": files["pass.json"] = files["pass.json"].replace(b'"9"', b'"8"')
            if how == "unsigned": del files["signature"]
            if how == "bundle": files = {"a.pkpass": open(name, "rb").read()}
            with zipfile.ZipFile("changed", "w") as new:
                for n, octets in files.items(): new.writestr(n, octets)
            """
        let made = try holder.program.execute(
            "/usr/bin/python3", ["-c", script, how, file], input: Data())
        try #require(made.status == 0, "\(made.errors)")
        return try Data(contentsOf: holder.home.folder.appendingPathComponent("changed"))
    }
}
