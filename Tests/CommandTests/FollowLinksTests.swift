import Foundation
import Loopback
import Testing

@Suite("--follow-links fetches the links in mail; without it nothing is fetched")
struct FollowLinksTests {
    private let home: FetchingHome
    private let pass: Data

    init() throws {
        home = try FetchingHome()
        pass = try FetchingHome.pass("0001")
    }

    private func mail(_ number: Int, _ links: String...) -> Data {
        let text = links.map { "See \($0) for it.\n" }.joined()
        return Data(
            """
            From: Ada <ada@example.org>
            Message-ID: <\(number)@example.org>
            Date: Wed, 1 May 2024 10:01:00 +0000
            Subject: Trip \(number)

            \(text)
            """.utf8)
    }

    private func follow(_ words: String...) throws -> Program.Result {
        try home.program.run(["import", "--json", "--follow-links"] + words + FetchingHome.options)
    }

    @Test("Each link is fetched once, and again when everything is read again")
    func once() async throws {
        defer { home.remove() }
        try await LoopbackServer.run { server in
            server.serve("/1.pkpass", .pass(pass))
            try home.home.write(mail(1, server.url("/1.pkpass")), to: "mail.eml")
            let first = try follow("mail.eml")
            #expect(first.status == 0, "\(first.output) \(first.errors)")
            #expect(first.pass?["import"] as? String == "added")
            #expect(first.pass?["source"] as? String == server.url("/1.pkpass"))
            let again = try follow("mail.eml")
            #expect(again.status == 0)
            #expect(again.passes.isEmpty)
            #expect(server.requests.count == 1)
            let all = try follow("--all", "mail.eml")
            #expect(all.pass?["import"] as? String == "unchanged")
            #expect(server.requests.count == 2)
        }
    }

    @Test(
        "Nothing is fetched without the option",
        arguments: [
            ["import"], ["import", "--links"], ["import", "--all", "--links"], ["scan"],
            ["scan", "--links"], ["import", "--tolerate-problems", "--brief"],
        ])
    func unasked(command: [String]) async throws {
        defer { home.remove() }
        try await LoopbackServer.run { server in
            try home.home.write(mail(1, server.url("/1.pkpass")), to: "mail.eml")
            let trust = try FetchingHome.options
            for input in ["mail.eml", "-"] {
                let result = try home.program.run(
                    command + trust + [input], input: mail(2, server.url("/2.pkpass")))
                #expect(result.errors.split(separator: "\n").count <= 1)
            }
            #expect(server.connections == 0)
        }
    }

    @Test("The mail that contains the link is stored as the origin of the pass")
    func origin() async throws {
        defer { home.remove() }
        try await LoopbackServer.run { server in
            server.serve("/1.pkpass", .pass(pass))
            try home.home.write(mail(1, server.url("/1.pkpass")), to: "mail.eml")
            _ = try follow("mail.eml")
            let shown = try home.program.run(["show", "1", "--json"])
            let origins = try #require(shown.records.first?["origins"] as? [[String: Any]])
            #expect(origins.count == 1)
            let origin = try #require(origins.first)
            #expect(origin["source"] as? String == server.url("/1.pkpass"))
            #expect(origin["messageID"] as? String == "1@example.org")
            #expect(origin["from"] as? String == "Ada <ada@example.org>")
            #expect(origin["subject"] as? String == "Trip 1")
            #expect((origin["date"] as? String)?.hasPrefix("2024-05-01T10:01:00") == true)
            let text = try home.program.run(["show", "1", "--history"]).output
            #expect(text.contains("Ada <ada@example.org>"))
            #expect(text.contains(server.url("/1.pkpass")))
        }
    }

    @Test("A link in two mails is fetched once, in one run and in two")
    func twice() async throws {
        defer { home.remove() }
        try await LoopbackServer.run { server in
            server.serve("/1.pkpass", .pass(pass))
            let url = server.url("/1.pkpass")
            try home.home.write(mail(1, url, url), to: "mails/1.eml")
            try home.home.write(mail(2, url), to: "mails/2.eml")
            try home.home.write(mail(3, url + "#here"), to: "3.eml")
            #expect(try follow("mails").pass?["import"] as? String == "added")
            #expect(try follow("3.eml").passes.isEmpty)
            #expect(server.requests.count == 1)
        }
    }

    @Test("Links in a mail at a URL are followed, but only one level")
    func fetched() async throws {
        defer { home.remove() }
        try await LoopbackServer.run { server in
            server.serve("/1.pkpass", .pass(pass))
            server.serve("/mail.eml", .bytes(mail(1, server.url("/1.pkpass"))))
            let plain = try home.imports(server.url("/mail.eml"))
            #expect(plain.passes.isEmpty)
            #expect(server.requests.map(\.path) == ["/mail.eml"])
            let result = try follow(server.url("/mail.eml"))
            #expect(result.pass?["import"] as? String == "added", "\(result.output)")
            #expect(server.requests.map(\.path) == ["/mail.eml", "/mail.eml", "/1.pkpass"])

            server.serve("/2.pkpass", .bytes(mail(2, server.url("/3.pkpass"))))
            try home.home.write(mail(1, server.url("/2.pkpass")), to: "mail.eml")
            _ = try follow("mail.eml")
            #expect(server.requests(for: "/2.pkpass").count == 1)
            #expect(server.requests(for: "/3.pkpass").isEmpty)
        }
    }

    @Test("A pass in a data: link is read without a request")
    func data() throws {
        defer { home.remove() }
        let url = "data:application/vnd.apple.pkpass;base64,\(pass.base64EncodedString())"
        try home.home.write(mail(1, url), to: "mail.eml")
        let result = try home.imports("--links", "mail.eml")
        #expect(result.status == 0, "\(result.errors)")
        let found = try #require(result.pass)
        #expect(found["import"] as? String == "added")
        #expect(found["source"] as? String == "mail.eml")
        #expect(found["part"] as? String == "1")
        #expect((found["message"] as? [String: Any])?["messageID"] as? String == "1@example.org")
        #expect(found["size"] as? Int == pass.count)
        let listed = try follow("--all", "--links", "mail.eml")
        let link = listed.records.first { $0["record"] as? String == "link" }
        #expect((link?["url"] as? String) == String(url.prefix(256)))
        #expect(link?["size"] as? Int == url.utf8.count)
        #expect(listed.pass?["import"] as? String == "unchanged")
    }

    @Test("A damaged data: link is reported, as is one that is too large")
    func damagedData() throws {
        defer { home.remove() }
        let type = "data:application/vnd.apple.pkpass;base64,"
        let large = type + String(repeating: "AAAA", count: 2_100_000)
        let short = type + String(repeating: "AAAA", count: 100)
        try home.home.write(mail(1, short + "{}", short, large), to: "mail.eml")
        let result = try follow("mail.eml")
        #expect(result.status == 2)
        #expect(Set(result.problems.map(\.code)) == ["bad-url", "limit-link-size"])
        #expect(result.pass?["verdict"] as? String == "malformed")
    }
}
