import Foundation
import PassFixtures
import PassSession
import Testing

@testable import ServiceCommands

@Suite("passconduit-serve list finds published passes, and remove removes one")
struct ListTests {
    private let program: ServiceProgram

    init() throws {
        program = try ServiceProgram()
    }

    private func publish(_ serials: String...) async throws {
        let rows = serials.map { "\($0),0123456789abcdef,7\n" }.joined()
        let data = try program.write("serial,token,gate\n\(rows)", to: "guests.csv")
        let template = try program.writeTemplate()
        let result = try await program.run("publish", template, "--data", data)
        try #require(result.code == .done, "\(result.errors)")
    }

    private func list(_ arguments: String...) async throws -> ServiceProgram.Result {
        try await program.run(["list", "--store", program.store] + arguments)
    }

    @Test("each line has the time, the pass, its devices and its state")
    func lines() async throws {
        try await publish("E4", "E5")
        _ = try await program.run("void", PassMaker.type, "E4")
        let result = try await list()
        #expect(result.code == .done)
        #expect(result.errors == "")
        let lines = result.output.split(separator: "\n").map(String.init)
        let time = #/^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z /#
        #expect(
            lines.map { $0.replacing(time, with: "") } == [
                "\(PassMaker.type)/E4: 0 devices, void, not signed yet",
                "\(PassMaker.type)/E5: 0 devices, not signed yet",
            ])
        #expect(lines.allSatisfy { $0.prefixMatch(of: time) != nil })
        #expect(try await list("--limit", "1").output == "\(lines[0])\n")
        #expect(try await list("/E5").output == "\(lines[1])\n")
        let missing = try await list("E6")
        #expect(missing.code == .nothingFound)
        #expect(missing.output == "")
        #expect(try await list("--limit", "0").code == .usage)
    }

    @Test("--json prints a record for each pass")
    func records() async throws {
        try await publish("E4")
        let result = try await list("--json")
        let record = try #require(try result.records.first)
        #expect(
            Set(record.keys) == [
                "version", "record", "passTypeIdentifier", "serialNumber", "published", "devices",
                "voided", "downloadKey",
            ])
        #expect(record["record"] as? String == "publishedPass")
        #expect(record["serialNumber"] as? String == "E4")
        #expect(record["devices"] as? Int == 0)
        #expect(record["voided"] as? Bool == false)
    }

    @Test("remove removes a pass, and then reports that there is none")
    func remove() async throws {
        try await publish("E4", "E5")
        let arguments = ["remove", "--store", program.store, PassMaker.type, "E4"]
        let removed = try await program.run(arguments + ["--json"])
        #expect(removed.code == .done)
        #expect(
            removed.output.hasPrefix(
                #"{"version":1,"record":"publication","passTypeIdentifier":"\#(PassMaker.type)","#
                    + #""serialNumber":"E4","publication":"removed","downloadKey":""#))
        let again = try await program.run(arguments)
        #expect(again.code == .nothingFound)
        #expect(
            again.errors
                == "passconduit-serve: there is no pass \(PassMaker.type)/E4 in the store\n")
        #expect(
            try await list("--json").records.compactMap { $0["serialNumber"] as? String } == ["E5"])
        let plain = try await program.run(arguments.dropLast() + ["E5"])
        #expect(plain.output == "removed \(PassMaker.type)/E5\n")
        #expect(try await list().code == .nothingFound)
    }
}
