import Bytes
import Databases
import Foundation
import PassFixtures
import PassModel
import PassSigning
import PassVerification
import Testing

@testable import PassService

@Suite("Rows are published unsigned, with the same checks as signed passes")
struct PublishedRowTests {
    private let issuer: Issuer
    private let template: PublishedTemplate
    private let ticket = Issuer.identity("E4")

    init() throws {
        issuer = try Issuer()
        template = try PublishedTemplate(Issuer.template)
    }

    private func publish(
        _ store: ServiceStore, _ rows: TemplateRow...
    ) async throws -> [Publication?] {
        try await store.publish(rows, of: template).map { try? $0.get().publication }
    }

    @Test("a row is added, unchanged or updated, and devices are notified", arguments: Backend.here)
    func publications(backend: Backend) async throws {
        let store = try await StorePlace(backend).open()
        let (first, second) = (Issuer.row("E4"), Issuer.row("E5"))
        #expect(try await publish(store, first, second) == [.added, .added])
        _ = try await store.register("d1", pushToken: "00", for: ticket)
        #expect(try await publish(store, first, second) == [.unchanged, .unchanged])
        #expect(try await store.changes(for: "d1", ofType: PassMaker.type, since: 2) == nil)
        #expect(try await store.status().pendingPushes == 0)
        #expect(
            try await publish(store, Issuer.row("E4", gate: "8"), second) == [.updated, .unchanged])
        let changes = try await store.changes(for: "d1", ofType: PassMaker.type, since: 2)
        #expect(changes?.serialNumbers == ["E4"])
        #expect(changes?.tag == 3)
        #expect(try await store.status().pendingPushes == 1)
        #expect(try await store.accepts(Issuer.token, for: ticket))
        let pass = try #require(try await store.pass(ticket))
        #expect(pass.sha256 == nil && pass.size == nil && pass.entityTag == nil)
        await #expect(throws: ServiceError.notSigned(ticket)) { try await store.file(of: ticket) }
        #expect(try await store.row(of: ticket)?.values["gate"] == "8")
    }

    @Test("a row that cannot become a pass is refused, and the others are published")
    func refusals() async throws {
        let store = try await StorePlace().open()
        let missing = TemplateRow(line: 2, ["serialNumber": "E5", "token": Issuer.token])
        let results = try await store.publish(
            [
                missing, Issuer.row("E6", token: "fifteen-letters"), Issuer.row("E7"),
                Issuer.row(""),
            ], of: template)
        #expect(throws: RowRefusal.row(.missing(column: "gate"))) { try results[0].get() }
        #expect(throws: RowRefusal.row(.missing(column: "serialNumber"))) { try results[3].get() }
        guard case .failure(.mistakes(let mistakes)) = results[1] else {
            Issue.record("\(results[1])")
            return
        }
        #expect(mistakes.map(\.keyPath) == ["authenticationToken"])
        #expect(try results[2].get().publication == .added)
        #expect(try await store.status().passes == 1)
    }

    @Test("each row of a template without an authentication token is refused")
    func tokenless() async throws {
        let store = try await StorePlace().open()
        var folder = Issuer.template
        let text = String(decoding: try #require(folder.pass), as: UTF8.self)
        let lines = text.split(separator: "\n")
            .filter { !$0.contains("authenticationToken") && !$0.contains("webServiceURL") }
        folder.files["pass.json"] = Array(lines.joined(separator: "\n").utf8)
        let results = try await store.publish([Issuer.row("E4")], of: PublishedTemplate(folder))
        #expect(throws: RowRefusal.noToken) { try results[0].get() }
    }

    @Test("a token that no earlier version had is reported", arguments: Backend.here)
    func otherToken(backend: Backend) async throws {
        let store = try await StorePlace(backend).open()
        let tokens = ["0123456789abcdef", "0123456789abcdef", "fedcba9876543210"]
        for (number, token) in tokens.enumerated() {
            let row = Issuer.row("E4", gate: "\(number)", token: token)
            let result = try await store.publish([row], of: template)[0].get()
            #expect(result.hasOtherToken == (number == 2))
            #expect(try await store.accepts(token, for: ticket))
        }
    }

    @Test("values can be changed, except those that identify the pass", arguments: Backend.here)
    func update(backend: Backend) async throws {
        let store = try await StorePlace(backend).open()
        _ = try await publish(store, Issuer.row("E4"))
        #expect(try await store.update(ticket, setting: ["gate": "7"])?.publication == .unchanged)
        #expect(try await store.update(ticket, setting: ["gate": "8"])?.publication == .updated)
        #expect(try await store.row(of: ticket)?.values["gate"] == "8")
        #expect(try await store.pass(ticket)?.tag == 2)
        for (values, refusal) in [
            (
                ["seat": "1", "gate": "9"],
                RowRefusal.unknownColumns(["seat"], known: ["serialNumber", "token", "gate"])
            ),
            (["serialNumber": "E5"], .changedKey("serialNumber")),
            (["token": "another-token-of-this-issuer"], .changedKey("authenticationToken")),
            (["gate": ""], .row(.missing(column: "gate"))),
        ] {
            await #expect(throws: ServiceError.refused(ticket, refusal)) {
                try await store.update(ticket, setting: values)
            }
        }
        #expect(try await store.row(of: ticket)?.values["gate"] == "8")
        let unknown = Issuer.identity("E5")
        #expect(try await store.update(unknown, setting: ["gate": "8"]) == nil)
    }

    @Test("a void pass stays void until it is declared valid", arguments: Backend.here)
    func void(backend: Backend) async throws {
        let store = try await StorePlace(backend).open()
        _ = try await publish(store, Issuer.row("E4"))
        #expect(try await store.void(ticket)?.publication == .updated)
        #expect(try await store.void(ticket)?.publication == .unchanged)
        #expect(try await store.update(ticket, setting: ["gate": "8"])?.publication == .updated)
        #expect(try await store.row(of: ticket)?.isVoided == true)
        #expect(try await publish(store, Issuer.row("E4", gate: "8")) == [.unchanged])
        #expect(try await publish(store, Issuer.row("E4", gate: "9")) == [.updated])
        #expect(try await store.row(of: ticket)?.isVoided == true)
        #expect(try await store.pass(ticket)?.isVoided == true)
        for (value, publication) in [
            ("true", Publication.unchanged), ("false", .updated), ("false", .unchanged),
            ("true", .updated),
        ] {
            let values = ["voided": value]
            #expect(try await store.update(ticket, setting: values)?.publication == publication)
            #expect(try await store.row(of: ticket)?.isVoided == (value == "true"))
            #expect(try await store.pass(ticket)?.isVoided == (value == "true"))
        }
        let fault = RowFault.notABoolean(column: "voided", value: "no")
        await #expect(throws: ServiceError.refused(ticket, .row(fault))) {
            try await store.update(ticket, setting: ["voided": "no"])
        }
        #expect(try await store.void(Issuer.identity("E5")) == nil)
    }

    @Test("a template may have a column 'voided' of its own", arguments: Backend.here)
    func voidColumn(backend: Backend) async throws {
        let store = try await StorePlace(backend).open()
        var folder = Issuer.template
        let text = String(decoding: try #require(folder.pass), as: UTF8.self)
        folder.files["pass.json"] = Array(
            text.replacing(
                "{\n", with: "{\"voided\": \"{{voided:boolean}}\",\n", maxReplacements: 1
            )
            .utf8)
        let template = try PublishedTemplate(folder)
        func publish(_ value: String) async throws -> Publication {
            let row = Issuer.row("E4", ["voided": value])
            return try await store.publish([row], of: template)[0].get().publication
        }
        #expect(try await publish("true") == .added)
        #expect(try await store.pass(ticket)?.isVoided == true)
        #expect(try await publish("false") == .updated)
        #expect(try await store.pass(ticket)?.isVoided == false)
        // Declared void, so that a corrected row does not make it valid.
        #expect(try await store.void(ticket)?.publication == .updated)
        #expect(try await publish("false") == .unchanged)
        #expect(try await store.pass(ticket)?.isVoided == true)
        let values = ["voided": "false"]
        #expect(try await store.update(ticket, setting: values)?.publication == .updated)
        #expect(try await store.pass(ticket)?.isVoided == false)
    }

    @Test("a removed row leaves neither its template nor images behind", arguments: Backend.here)
    func remove(backend: Backend) async throws {
        let store = try await StorePlace(backend).open()
        _ = try await publish(store, Issuer.row("E4"))
        #expect(try await store.passes().map(\.pass.sha256) == [nil])
        #expect(try await store.remove(ticket) != nil)
        let rest = try await store.read { db in
            try ["passRows", "rowImages", "templates", "templateFiles", "tokens"].map { table in
                try db.row("SELECT count(*) FROM \(table)")?.integer(0)
            }
        }
        #expect(rest == [0, 0, 0, 0, 0])
    }

    @Test("a file can replace a row, and a row a file", arguments: Backend.here)
    func kinds(backend: Backend) async throws {
        let store = try await StorePlace(backend).open()
        let file = try issuer.pass("E4")
        #expect(try await publish(store, Issuer.row("E4")) == [.added])
        #expect(try await store.publish(file) == .updated)
        #expect(try await store.row(of: ticket) == nil)
        #expect(try await store.update(ticket, setting: ["gate": "8"]) == nil)
        #expect(try await store.file(of: ticket)?.bytes == file.octets.array())
        #expect(try await publish(store, Issuer.row("E4")) == [.updated])
        await #expect(throws: ServiceError.notSigned(ticket)) { try await store.file(of: ticket) }
    }

    @Test("a template is stored once, and removed with its last row", arguments: Backend.here)
    func templates(backend: Backend) async throws {
        let store = try await StorePlace(backend).open()
        func count(_ table: String) async throws -> Int64? {
            try await store.read { db in
                try db.row("SELECT count(*) FROM \(table)")?.integer(0)
            }
        }
        _ = try await publish(store, Issuer.row("E4"))
        _ = try await publish(store, Issuer.row("E5"))
        #expect(try await count("templates") == 1)
        #expect(try await count("templateFiles") == 3)
        var folder = Issuer.template
        folder.files["logo.png"] = Issuer.png(160, 50)
        let other = try PublishedTemplate(folder)
        #expect(other.digest != template.digest)
        _ = try await store.publish([Issuer.row("E4")], of: other)
        #expect(try await count("templates") == 2)
        _ = try await store.publish([Issuer.row("E5")], of: other)
        #expect(try await count("templates") == 1)
        #expect(try await count("templateFiles") == 4)
        #expect(try await store.row(of: ticket)?.template.digest == other.digest)
    }

    @Test("two programs can change a row at the same time", arguments: Backend.here)
    func together(backend: Backend) async throws {
        var folder = Issuer.template
        let text = String(decoding: try #require(folder.pass), as: UTF8.self)
        folder.files["pass.json"] = Array(
            text.replacing("\"Ticket\"", with: "\"{{name}}\"").utf8)
        let template = try PublishedTemplate(folder)
        let place = try StorePlace(backend)
        let store = try await place.open()
        _ = try await store.publish([Issuer.row("E4", ["name": "0"])], of: template)
        let ticket = ticket
        try await withThrowingTaskGroup { group in
            for column in ["gate", "name"] {
                let store = try await place.open()
                group.addTask {
                    for number in 1...10 {
                        let values = [column: "\(number)"]
                        let row = try await store.update(ticket, setting: values)
                        #expect(row?.publication != nil)
                    }
                }
            }
            try await group.waitForAll()
        }
        let values = try #require(try await store.row(of: ticket)).values
        #expect(values["gate"] == "10" && values["name"] == "10")
    }

    @Test("a version based on a replaced one is not published", arguments: Backend.here)
    func replaced(backend: Backend) async throws {
        let store = try await StorePlace(backend).open()
        try await store.publish(issuer.pass("E4", gate: "1"))
        let tag = try #require(try await store.pass(ticket)).tag
        try await store.publish(issuer.pass("E4", gate: "2"))
        let third = try issuer.pass("E4", gate: "3")
        #expect(try await store.publishFile(third, replacing: tag) == nil)
        #expect(try await store.publishFile(third, replacing: tag + 1)?.publication == .updated)
    }
}
