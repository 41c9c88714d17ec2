import Foundation
import Loopback
import PassFixtures
import Testing

@Suite("passconduit-records(5) lists every field of every record")
final class RecordsManualTests {
    private let home: Home
    private let program: Program
    /// The names on the page below each heading: `Record pass`, `Object message`.
    private let fields: [String: Set<String>]

    init() throws {
        home = try Home()
        program = Program(home: home)
        let page = try String(
            contentsOf: Program.package.appendingPathComponent("desktop/man/passconduit-records.5"),
            encoding: .utf8)
        var fields: [String: Set<String>] = [:]
        var headings: [String] = []
        for line in page.split(separator: "\n") {
            if let match = line.wholeMatch(of: /\.Ss (Record|Object)s? (.*)/) {
                headings = match.2.split(separator: ", ").map { "\(match.1) \($0)" }
            } else if let match = line.wholeMatch(of: /\.It Va (.*)/) {
                for heading in headings {
                    fields[heading, default: []].formUnion(
                        match.1.split(separator: " , ").map(String.init))
                }
            }
        }
        self.fields = fields
    }

    deinit { home.remove() }

    @Test("records of every command")
    func commands() throws {
        let samples = Program.package.appendingPathComponent("Samples")
        let path = { (name: String) in samples.appendingPathComponent(name).path }
        try FileManager.default.copyItem(
            atPath: path("mailbox/Maildir"), toPath: home.path("Maildir"))
        let authority = path("authority/root.pem")
        let commands = [
            ["trust", "add", authority],
            ["trust", "list", "--json"],
            ["scan", "--json", "--links", path("passes"), path("links"), path("mail")],
            ["verify", "--json", path("passes/tampered/file-changed.pkpass")],
            ["lint", "--json", path("passes/tolerated/json-byte-order-mark.pkpass")],
            ["lint", "--json", path("passes/tolerated/json-no-description.pkpass")],
            ["import", "--json", "Maildir", path("passes"), path("mail/ordinary.eml")],
            ["import", "--json", "Maildir", path("passes")],
            ["list", "--json"],
            ["search", "--json", "gru"],
            ["show", "--json", "--history", "1"],
            // Requests to loopback fail without --allow-private.
            ["import", "--json", "https://127.0.0.1/ticket.pkpass"],
            ["downloads", "list", "--json", "--all"],
            ["update", "--json", "1"],
            ["update", "--json", "--off", "1"],
            ["update", "--json", "--off"],
            ["show", "--json", "--history", "pass.example.nimbus/NB-2417-ANA-12A"],
        ]
        var records = try commands.flatMap { try program.run($0).records }
        try home.write(Data(), to: ".local/share/passconduit/passes/stray")
        records += try program.run(["library", "check", "--json"]).records

        #expect(unexplained(in: records) == [])
        let all: Set = [
            "pass", "link", "problem", "summary", "libraryPass", "libraryFinding", "libraryCheck",
            "authority", "download", "update", "updateSummary", "lint",
            "librarySettings",
        ]
        #expect(Set(records.compactMap { $0["record"] as? String }) == all)
    }

    @Test("records of updates with every outcome")
    func updates() async throws {
        let holder = try PassHolder("records")
        let records = try await LoopbackServer.run { server in
            let serials = ["new", "same", "gone", "busy", "left"]
            try holder.add(serials.map { PassHolder.recipe($0, from: server.url()) })
            let newer = try holder.maker.make(
                PassHolder.recipe("new", from: server.url(), gate: "7", hours: 1))
            server.serve(type: PassMaker.type, serial: "new", .pass(newer))
            server.serve(type: PassMaker.type, serial: "same", .status(304))
            server.serve(type: PassMaker.type, serial: "gone", .status(410))
            server.serve(type: PassMaker.type, serial: "busy", .status(503, retryAfter: "60"))
            return try holder.update(
                ["--json"] + serials.map { "\(PassMaker.type)/\($0)" }
            ).records
        }
        #expect(unexplained(in: records) == [])
        let had = Set(records.flatMap(\.keys))
        #expect(had.isSuperset(of: ["source", "status", "problem", "changes", "declined"]))
    }

    @Test("records of sign and certificate")
    func signing() throws {
        let issuer = try IssuerHome()
        defer { issuer.remove() }
        try issuer.write(serialNumber: "{{serial}}", to: "T.pass")
        try issuer.home.write(Data("serial\n1\n".utf8), to: "rows.csv")
        try issuer.home.write(Data("sesame".utf8), to: "password")
        let file = try run(
            [
                "openssl", "pkcs12", "-export", "-passout", "pass:sesame", "-in",
                issuer.certificate.path, "-inkey", issuer.certificate.keyPath,
            ], input: [])
        try issuer.home.write(Data(file), to: "pass.p12")
        let commands = [
            ["certificate", "import", "pass.p12", "--password-file", "password"],
            ["certificate", "request", "--name", "Example", "--email", "me@example.com"],
            ["certificate", "list", "--json"],
            ["sign", "--json", "T.pass", "--data", "rows.csv", "-o", "out"] + issuer.trust,
        ]
        let records = try commands.flatMap { try issuer.program.run($0).records }
        #expect(unexplained(in: records) == [])
        #expect(
            records.map { $0["record"] as? String } == [
                "certificate", "pendingKey", "signedPass", "signingSummary",
            ])
    }

    /// The names in records that the page does not list.
    private func unexplained(in records: [[String: Any]]) -> Set<String> {
        var unexplained: Set<String> = []
        for record in records {
            let fieldsOfAll: Set = ["version", "record"]
            let kind = record["record"] as? String ?? ""
            var objects = [("Record \(kind)", record.filter { !fieldsOfAll.contains($0.key) })]
            while let (heading, object) = objects.popLast() {
                for (key, value) in object {
                    if fields[heading]?.contains(key) != true {
                        unexplained.insert("\(heading): \(key)")
                    }
                    let values = value as? [Any] ?? [value]
                    objects += values.compactMap { $0 as? [String: Any] }
                        .map { ("Object \(key)", $0) }
                }
            }
        }
        return unexplained
    }
}
