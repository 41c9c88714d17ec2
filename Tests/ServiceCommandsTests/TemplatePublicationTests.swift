import Foundation
import PassFixtures
import PassModel
import PassService
import PassSession
import Testing

@testable import ServiceCommands

@Suite(
    "passconduit-serve publish --data publishes a pass for each row, to be signed when asked for")
struct TemplatePublicationTests {
    private let program: ServiceProgram

    init() throws {
        program = try ServiceProgram()
    }

    private func template() throws -> String {
        try program.writeTemplate()
    }

    @Test("bad rows are reported with their lines, and the others published")
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
            ("seat=8", ExitCode.usage, "the template has no column seat; its columns are: serial"),
            ("serial=E5", .usage, "'serialNumber' is the same in all versions of a pass"),
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
