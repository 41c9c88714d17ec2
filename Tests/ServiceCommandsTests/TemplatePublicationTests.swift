import Foundation
import PassFixtures
import PassModel
import PassService
import PassSession
import Testing

@testable import ServiceCommands

@Suite(
    "passconduit-serve publish --data publishes a pass for each row, to be signed on demand")
struct TemplatePublicationTests {
    private let program: ServiceProgram

    init() throws {
        program = try ServiceProgram()
    }

    private func template() throws -> String {
        try program.writeTemplate()
    }

    @Test("bad rows are reported with their lines, and the others are published")
    func rows() async throws {
        let data = try program.write(
            """
            serial,token,gate
            E4,0123456789abcdef,7
            E5,short,7
            E4,0123456789abcdef,8
            E6,0123456789abcdef,
            E7,0123456789abcdef,7,8
            E8,0123456789abcdef,9

            """, to: "guests.csv")
        let result = try await program.run("publish", "--json", template(), "--data", data)
        #expect(result.code == .unreadable)
        let head =
            #"{"version":1,"record":"publication","file":"\#(data)","line":2,"#
            + #""passTypeIdentifier":"\#(PassMaker.type)","serialNumber":"E4","#
            + #""publication":"added","downloadKey":""#
        #expect(result.output.hasPrefix(head))
        let records = try result.records
        #expect(records.compactMap { $0["line"] as? Int } == [2, 7])
        #expect(
            result.output.hasSuffix(
                #"{"version":1,"record":"publicationSummary","added":2,"updated":0,"unchanged":0,"#
                    + #""failed":4}"# + "\n"))
        for problem in [
            "line 3: pass.json: authenticationToken: the token has 5 characters; Apple requires 16",
            "line 4: line 2 already has the serial number 'E4'",
            "line 5: no value for 'gate'", "line 6: the row has 4 values instead of 3",
        ] {
            #expect(
                result.errors.contains("passconduit-serve: \(data): \(problem)"),
                "\(result.errors)")
        }
        let again = try await program.run("publish", template(), "--data", data)
        #expect(again.errors.hasSuffix("\n2 unchanged, 4 failed\n"))
    }

    @Test("update and void change the row, without a key")
    func changes() async throws {
        let data = try program.write(
            #"{"serial": "E4", "token": "0123456789abcdef", "gate": "7"}"# + "\n", to: "one.jsonl")
        _ = try await program.run("publish", template(), "--data", data)
        func update(_ setting: String) async throws -> ServiceProgram.Result {
            try await program.run("update", PassMaker.type, "E4", "--set", setting)
        }
        let updated = try await update("gate=8")
        #expect(updated.errors == "")
        #expect(updated.output == "updated \(PassMaker.type)/E4\n")
        #expect(try await update("gate=8").output == "unchanged \(PassMaker.type)/E4\n")
        for (setting, code, problem) in [
            (
                "seat=8", ExitCode.unreadable,
                "the template has no column seat; its columns are: serial"
            ),
            ("serial=E5", .unreadable, "'serialNumber' is the same in all versions of a pass"),
            ("gate=", .unreadable, "no value for 'gate'"),
        ] {
            let result = try await update(setting)
            #expect(result.code == code)
            #expect(
                result.errors.hasPrefix("passconduit-serve: \(PassMaker.type)/E4: \(problem)"))
        }
        let voided = try await program.run("void", "--json", PassMaker.type, "E4")
        let store = try await ServiceStore(at: URL(filePath: program.store))
        let identity = PassIdentity(passTypeIdentifier: PassMaker.type, serialNumber: "E4")
        let key = try #require(try await store.pass(identity)).downloadKey
        #expect(
            voided.output
                == #"{"version":1,"record":"publication","passTypeIdentifier":"\#(PassMaker.type)","#
                + #""serialNumber":"E4","publication":"updated","downloadKey":"\#(key)"}"# + "\n")
        let row = try #require(try await store.row(of: identity))
        #expect(row.isVoided && row.values["gate"] == "8")
    }

    @Test("a void row stays void until update makes it valid")
    func void() async throws {
        let data = try program.write("serial,token,gate\nE4,0123456789abcdef,7\n", to: "a.csv")
        let corrected = try program.write(
            "serial,token,gate\nE4,0123456789abcdef,8\n", to: "b.csv")
        _ = try await program.run("publish", template(), "--data", data)
        _ = try await program.run("void", PassMaker.type, "E4")
        _ = try await program.run("publish", template(), "--data", corrected)
        let store = try await ServiceStore(at: URL(filePath: program.store))
        let identity = PassIdentity(passTypeIdentifier: PassMaker.type, serialNumber: "E4")
        #expect(try await store.row(of: identity)?.isVoided == true)
        #expect(try await store.row(of: identity)?.values["gate"] == "8")
        let result = try await program.run("update", PassMaker.type, "E4", "--set", "voided=false")
        #expect(result.output == "updated \(PassMaker.type)/E4\n")
        #expect(try await store.row(of: identity)?.isVoided == false)
    }

    @Test("update refuses a date without a time")
    func dates() async throws {
        let folder = try program.writeSource(
            "Dated.pass",
            """
            {"formatVersion": 1, "passTypeIdentifier": "\(PassMaker.type)",
            "teamIdentifier": "\(PassMaker.team)", "serialNumber": "{{serial}}",
            "organizationName": "Example", "description": "{{text}}",
            "expirationDate": "{{end}}",
            "webServiceURL": "https://wallet.example/", "authenticationToken": "0123456789abcdef",
            "generic": {}}
            """)
        let data = try program.write("serial,text,end\nE4,Ticket,2027-01-01\n", to: "a.csv")
        _ = try await program.run("publish", folder, "--data", data)
        for (setting, problem) in [
            (
                "end=2027",
                "expirationDate: the date '2027' is not of the form 2026-05-01T19:30+02:00"
            ),
            ("end=never", "pass.json: expirationDate: not a date: never"),
        ] {
            let result = try await program.run("update", PassMaker.type, "E4", "--set", setting)
            #expect(result.code == .unreadable)
            #expect(
                result.errors.hasPrefix("passconduit-serve: \(PassMaker.type)/E4: \(problem)"),
                "\(result.errors)")
        }
        for setting in ["text=Seat", "end=2027-01-01T12:00Z"] {
            let result = try await program.run("update", PassMaker.type, "E4", "--set", setting)
            #expect(result.code == .done)
        }
    }

    @Test("a missing or expired certificate is a warning, once for each pass type")
    func unsignable() async throws {
        let rows = "E4,0123456789abcdef,7\nE5,0123456789abcdef,7\n"
        let data = try program.write("serial,token,gate\n\(rows)", to: "guests.csv")
        let folder = try template()
        let warning = "\(folder): warning: passes of \(PassMaker.type) cannot be signed here: "
        let missing = try await program.run("publish", folder, "--data", data)
        #expect(missing.code == .done)
        let keys = program.folder.appending(path: ".config/passconduit/signing").path
        #expect(
            missing.errors == """
                passconduit-serve: \(warning)\(keys): there is no certificate with a key for \
                \(PassMaker.type): import one with `passconduit certificate import`
                2 added

                """)
        try program.addKey { recipe in
            recipe.from = "2024-01-01 00:00:00"
            recipe.days = 30
        }
        let expired = try await program.run("publish", folder, "--data", data)
        #expect(expired.code == .done)
        #expect(expired.errors.contains(warning), "\(expired.errors)")
        #expect(!expired.errors.contains("there is no certificate"))
        try program.addKey()
        let valid = try await program.run("publish", folder, "--data", data)
        #expect(valid.errors == "2 unchanged\n")
    }

    @Test("data without rows, and a template without placeholders, are refused")
    func nothing() async throws {
        let data = try program.write("serial,token,gate\n", to: "guests.csv")
        let result = try await program.run("publish", template(), "--data", data)
        #expect(result.code == .nothingFound)
        #expect(result.output == "")
        #expect(result.errors == "passconduit-serve: \(data): there are no rows\n")
        let json = try await program.run("publish", "--json", template(), "--data", data)
        #expect(json.code == .nothingFound)
        #expect(try json.records.map { $0["added"] as? Int } == [0])
        let folder = try program.writeSource("Plain.pass", #"{"serialNumber": "E4"}"#)
        let plain = try await program.run("publish", folder, "--data", data)
        #expect(plain.code == .unreadable)
        #expect(
            plain.errors
                == "passconduit-serve: \(folder): this is no template, as it has no placeholders: "
                + "omit --data\n")
    }

    @Test("data without the template's columns is refused before the first row")
    func missingColumns() async throws {
        let data = try program.write("serial,token\nE4,0123456789abcdef\n", to: "guests.csv")
        let result = try await program.run("publish", template(), "--data", data)
        #expect(result.code == .unreadable)
        #expect(result.output == "")
        #expect(
            result.errors
                == "passconduit-serve: \(data): the data lacks 1 column of the template: gate\n")
    }

    @Test("a wrong command line is explained")
    func usage() async throws {
        for arguments in [["a", "b", "--data", "c"], ["a", "--data", ""]] {
            let result = try await program.run(
                ["publish", "--store", program.store] + arguments)
            #expect(result.code == .usage)
        }
    }

    @Test("a template without data is not published")
    func withoutData() async throws {
        let folder = try template()
        let result = try await program.run("publish", folder)
        #expect(result.code == .unreadable)
        #expect(
            result.errors
                == "passconduit-serve: \(folder): this is a template: --data names the file with "
                + "its rows\n")
    }
}
