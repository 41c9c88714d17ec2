import ArgumentParser
import Foundation
import Glibc
import PassFixtures
import PassModel
import PassService
import PassSession
import PassSigning
import Platform
import Testing

@testable import ServiceCommands

@Suite("passconduit-serve update changes values of a published pass and signs it again")
struct UpdateTests {
    private let program: ServiceProgram

    init() throws {
        program = try ServiceProgram()
        try program.addKey()
    }

    /// Publishes a pass with fields of each type.
    private func publish() async throws {
        let json = """
            {
              "formatVersion": 1, "passTypeIdentifier": "\(PassMaker.type)",
              "teamIdentifier": "\(PassMaker.team)", "serialNumber": "E4",
              "organizationName": "Example", "description": "Ticket",
              "webServiceURL": "https://wallet.example/", "authenticationToken": "0123456789abcdef",
              "backgroundColor": "rgb(255, 255, 255)",
              "userInfo": {"order" : [1,  2]}, "ownKey": "x",
              "generic": {
                "headerFields": [{"key": "gate", "label": "Gate", "value": "6", "changeMessage": "%@"}],
                "primaryFields": [
                  {"key": "price", "value": 12.50, "currencyCode": "EUR", "changeMessage": "%@"},
                  {"key": "day", "value": "2026-05-01", "dateStyle": "PKDateStyleLong",
                   "changeMessage": "%@"}
                ],
                "backFields": [
                  {"key": "terms", "value": "None", "attributedValue": "<a href='x:y'>None</a>"}
                ]
              }
            }
            """
        let result = try await program.run("publish", program.writeSource("Ticket.pass", json))
        try #require(result.output == "added \(PassMaker.type)/E4\n", "\(result.errors)")
    }

    private func update(_ settings: String...) async throws -> ServiceProgram.Result {
        try await program.run(
            ["update", "--store", program.store, "--trust-root", program.maker.authority]
                + [PassMaker.type, "E4", "--json"] + settings.flatMap { ["--set", $0] })
    }

    @Test("one update makes one version, and leaves the rest of pass.json byte for byte the same")
    func oneVersion() async throws {
        try await publish()
        let before = try await program.published("E4", "print(text)")
        let result = try await update(
            "gate=7 \"A\" é", "price=13.00", "day=2026-05-02", "expirationDate=2026-06-01T00:00Z",
            "backgroundColor=rgb(250, 250, 250)", "ownKey=y")
        #expect(result.code == .done)
        #expect(result.errors == "")
        let record = try #require(try result.records.first)
        #expect(record["record"] as? String == "publication")
        #expect(record["publication"] as? String == "updated")
        #expect(record["serialNumber"] as? String == "E4")
        #expect(record["file"] == nil)
        var expected = before.replacing("\"6\"", with: #""7 \"A\" é""#)
            .replacing("12.50", with: "13.00").replacing("2026-05-01", with: "2026-05-02")
            .replacing("(255, 255, 255)", with: "(250, 250, 250)").replacing("\"x\"", with: "\"y\"")
        expected.replaceSubrange(
            expected.startIndex...expected.startIndex,
            with: #"{"expirationDate":"2026-06-01T00:00Z","#)
        #expect(try await program.published("E4", "print(text)") == expected)
        let facts = try await program.published(
            "E4", "print(contents['generic']['primaryFields'][0]['value'] + 1)")
        #expect(facts == "14.0\n")
        let status = try await program.run(["status", "--store", program.store, "--json"])
        #expect(try status.records.first?["tag"] as? String == "2")
    }

    @Test("unchanged values make no new version")
    func unchanged() async throws {
        try await publish()
        let result = try await update("gate=6", "price=12.50", "description=Ticket")
        #expect(result.code == .done)
        #expect(try result.records.map { $0["publication"] as? String } == ["unchanged"])
    }

    @Test(
        "unknown keys and values of a wrong type are refused with a reason",
        arguments: [
            ("serialNumber=E5", "'serialNumber' is the same in all versions of a pass"),
            (
                "authenticationToken=x",
                "'authenticationToken' is the same in all versions of a pass"
            ),
            ("formatVersion=2", "'formatVersion' is the same in all versions of a pass"),
            (
                "seat=7",
                "no field has the key 'seat', and pass.json has no such key; "
                    + "fields: gate, price, day, terms"
            ),
            ("price=free", "'free' for 'price' is not a JSON number"),
            (
                "expirationDate=2027",
                "expirationDate: the date '2027' is not of the form 2026-05-01T19:30+02:00"
            ),
            ("accessibilityURL=x", "accessibilityURL: not a URL: x"),
            ("day=tomorrow", "day: the date 'tomorrow' is not a W3C date"),
            ("voided=7", "'7' for 'voided' is neither true nor false"),
            ("backgroundColor=reddish", "backgroundColor: not a colour: reddish"),
            ("userInfo=x", "the value of 'userInfo' is a list or an object"),
            ("generic=x", "the value of 'generic' is a list or an object"),
            (
                "terms=Many",
                "the field 'terms' has an attributedValue, which Wallet shows instead of its value"
            ),
        ])
    func refusals(setting: String, problem: String) async throws {
        try await publish()
        let result = try await update(setting)
        #expect(result.code == .unreadable)
        #expect(result.errors == "passconduit-serve: \(PassMaker.type)/E4: \(problem)\n")
        #expect(try await program.published("E4", "print('voided' in contents)") == "False\n")
    }

    @Test("a value that the linter rejects is refused, as one of the wrong type is")
    func mistakes() async throws {
        try await publish()
        let result = try await update("webServiceURL=http://wallet.example/")
        #expect(result.code == .unreadable)
        #expect(result.errors.contains("webServiceURL: the web service must use https"))
    }

    @Test("update makes a void pass valid, and publishing a valid version of a void pass warns")
    func validAgain() async throws {
        try await publish()
        _ = try await program.run("void", PassMaker.type, "E4")
        #expect(try await program.published("E4", "print(contents['voided'])") == "True\n")
        #expect(try await update("voided=false").errors == "")
        #expect(try await program.published("E4", "print(contents['voided'])") == "False\n")
        _ = try await program.run("void", PassMaker.type, "E4")
        let folder = program.folder.appending(path: "Ticket.pass").path
        let again = try await program.run("publish", folder)
        #expect(again.code == .done)
        #expect(
            again.errors.contains(
                "\(folder): warning: the pass was void, and this version is not\n"))
    }

    @Test("changing a value without a message on devices is a warning")
    func silentChange() async throws {
        try await publish()
        let json = try await program.published("E4", "print(text)")
            .replacing(#""changeMessage": "%@""#, with: #""row": 0"#)
        _ = try await program.run("publish", program.writeSource("Ticket.pass", json))
        let result = try await update("gate=7")
        #expect(result.code == .done)
        #expect(result.errors.contains("the value changed, but the field has no changeMessage"))
    }

    @Test(
        "a wrong command line is explained",
        arguments: [[], ["gate"], ["=7"], ["gate=7", "gate=8"]])
    func usage(settings: [String]) async throws {
        let arguments = settings.flatMap { ["--set", $0] }
        let result = try await program.run(
            ["update", PassMaker.type, "E4", "--store", program.store] + arguments)
        #expect(result.code == .usage)
    }

    @Test("a pass that is not in the store is not found")
    func missing() async throws {
        try await publish()
        let result = try await program.run("update", PassMaker.type, "E5", "--set", "gate=7")
        #expect(result.code == .nothingFound)
    }

    @Test("if a row replaces the pass during an update, the row is changed")
    func becameRow() async throws {
        try await publish()
        let json = try await program.published("E4", "print(text)")
        let folder = try program.writeSource(
            "Template.pass", json.replacing("\"6\"", with: "\"{{gate}}\""))
        let template = try PublishedTemplate(PassFolder(contentsOf: URL(filePath: folder)))
        let null = unsafe open("/dev/null", O_WRONLY | O_CLOEXEC)
        try #require(null >= 0)
        defer { close(null) }
        let shell = ServiceShell(
            Environment(["HOME": program.folder.path]), output: FileDescriptor(null),
            errors: FileDescriptor(null))
        let reissue = try await Reissue(
            type: PassMaker.type, serial: "E4", StoreArguments.parse(["--store", program.store]),
            TrustArguments.parse(["--trust-root", program.maker.authority]), in: shell)
        var attempts = 0
        let code = try await reissue.run(
            row: { store, pass throws(ServiceError) in
                attempts += 1
                guard attempts == 1 else {
                    return try await store.update(pass, setting: ["gate": "7"])
                }
                // The store answered that the pass is a file; another program now publishes a row.
                _ = try await store.publish(
                    [TemplateRow(line: 1, ["gate": "6"])], of: template)
                return nil
            },
            files: { $0 })
        #expect(code == .done)
        #expect(attempts == 2)
        let store = try await ServiceStore(at: URL(filePath: program.store))
        let identity = PassIdentity(passTypeIdentifier: PassMaker.type, serialNumber: "E4")
        #expect(try await store.row(of: identity)?.values["gate"] == "7")
    }
}
