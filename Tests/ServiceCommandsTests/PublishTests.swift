import Foundation
import PassFixtures
import PassSession
import Testing

@testable import ServiceCommands

@Suite("passconduit-serve publish takes files, bundles and folders, and continues past bad ones")
struct PublishTests {
    private let program: ServiceProgram

    init() throws {
        program = try ServiceProgram()
    }

    private static let token = "vxwxd7J8AlNNFPS8k0a0FfUFtq0ewzFdc"

    /// Writes a pass into a folder.
    private func make(
        _ serial: String, in folder: String = "", gate: String = "7",
        url: String? = "https://wallet.example/", token: String = PublishTests.token
    ) throws -> String {
        var recipe = PassRecipe(serial)
        recipe.fields = [PassRecipe.Field("gate", gate)]
        recipe.webServiceURL = url
        recipe.authenticationToken = token
        try program.maker.make([recipe], in: program.folder.appending(path: folder))
        return program.folder.appending(path: "\(folder)/\(recipe.file)").path
    }

    @Test("the passes of a folder are published in the order of their names, except links")
    func folder() async throws {
        for serial in ["b", "a", "c"] { _ = try make(serial, in: "out") }
        let outside = try make("outside", in: "elsewhere")
        let hidden = program.folder.appending(path: "out/.hidden.pkpass").path
        try FileManager.default.copyItem(atPath: outside, toPath: hidden)
        let link = program.folder.appending(path: "out/link.pkpass").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: outside)
        let bad = try program.write("hello", to: "out/bb.pkpass")
        _ = try program.write("hello", to: "out/readme.txt")
        _ = try make("below", in: "out/below")
        let out = program.folder.appending(path: "out").path
        let result = try await program.run("publish", "--json", out)
        #expect(result.code == .unreadable)
        let records = try result.records
        #expect(records.compactMap { $0["serialNumber"] as? String } == ["a", "b", "c"])
        #expect(records.first?["file"] as? String == "\(out)/a.pkpass")
        #expect(
            result.output.hasSuffix(
                #"{"version":1,"record":"publicationSummary","added":3,"updated":0,"unchanged":0,"#
                    + #""failed":2}"# + "\n"))
        let problems = result.errors.split(separator: "\n")
        #expect(problems.count == 3)
        #expect(
            problems.first.map(String.init)
                == "passconduit-serve: \(out)/below: warning: a folder in a folder is not "
                + "published: name it as well")
        #expect(
            problems.dropFirst().first?.hasPrefix("passconduit-serve: \(bad): malformed - ")
                == true)
        #expect(
            problems.last == "passconduit-serve: \(link): symbolic links are not followed")
        let again = try await program.run("publish", out)
        #expect(again.errors.hasSuffix("3 unchanged, 2 failed\n"))
    }

    @Test("a folder without passes is reported")
    func emptyFolder() async throws {
        let file = try program.write("hello", to: "empty/readme.txt")
        let folder = URL(filePath: file).deletingLastPathComponent().path
        let result = try await program.run("publish", folder)
        #expect(result.code == .nothingFound)
        #expect(result.errors == "passconduit-serve: \(folder): there is no pass in this folder\n")
    }

    @Test("each pass of a bundle is published")
    func bundle() async throws {
        let passes = try ["E4", "E5"].map { try make($0) }
        let bundle = program.folder.appending(path: "trip.pkpasses").path
        let script = """
            import os, sys, zipfile
            with zipfile.ZipFile(sys.argv[1], "w") as archive:
                for path in sys.argv[2:]:
                    archive.write(path, os.path.basename(path))
            """
        _ = try run(["python3", "-c", script, bundle] + passes, input: [])
        let result = try await program.run("publish", "--json", bundle)
        #expect(result.code == .done)
        #expect(result.errors == "")
        #expect(
            try result.records.prefix(2).map { $0["file"] as? String } == [
                "\(bundle)!E4.pkpass", "\(bundle)!E5.pkpass",
            ])
    }

    @Test(
        "a pass that devices will not update is published with a warning",
        arguments: [
            (nil, "authenticationToken: updates also require the key 'webServiceURL'"),
            ("http://wallet.example/", "webServiceURL: the web service must use https"),
            ("https://wallet.example/v1/", "webServiceURL: the URL ends in /v1"),
        ])
    func webService(url: String?, warning: String) async throws {
        let file = try make("E4", url: url)
        let result = try await program.run("publish", file)
        #expect(result.code == .done)
        #expect(result.output == "added \(PassMaker.type)/E4\n")
        #expect(
            result.errors.hasPrefix(
                "passconduit-serve: \(file): warning: pass.json: \(warning)"))
    }

    @Test("a changed authenticationToken is a warning")
    func otherToken() async throws {
        _ = try await program.run("publish", try make("E4"))
        let file = try make("E4", token: "another-token-of-it")
        let result = try await program.run("publish", file)
        #expect(result.code == .done)
        #expect(result.output == "updated \(PassMaker.type)/E4\n")
        #expect(
            result.errors
                == "passconduit-serve: \(file): warning: the authenticationToken differs from that "
                + "of earlier versions: it should not change\n")
    }

    @Test("the folder of a pass is signed and published, and published again only after changes")
    func source() async throws {
        let json = """
            {"formatVersion": 1, "passTypeIdentifier": "\(PassMaker.type)",
            "teamIdentifier": "\(PassMaker.team)", "serialNumber": "E4",
            "organizationName": "Example", "description": "Ticket",
            "webServiceURL": "https://wallet.example/", "authenticationToken": "0123456789abcdef",
            "generic": {"primaryFields": [{"key": "gate", "value": "6"}]}}
            """
        let folder = try program.writeSource("Ticket.pass", json)
        let keyless = try await program.run("publish", folder)
        #expect(keyless.code == .unreadable)
        #expect(keyless.output == "")
        try program.addKey()
        let first = try await program.run("publish", folder)
        #expect(first.code == .done)
        #expect(first.errors == "")
        #expect(first.output == "added \(PassMaker.type)/E4\n")
        let second = try await program.run("publish", folder)
        #expect(second.output == "unchanged \(PassMaker.type)/E4\n")
        _ = try program.writeSource("Ticket.pass", json.replacing("\"6\"", with: "\"7\""))
        let third = try await program.run("publish", folder)
        #expect(third.output == "updated \(PassMaker.type)/E4\n")
        let facts = try await program.published(
            "E4", "print(contents['generic']['primaryFields'][0]['value'], archive.namelist())")
        #expect(
            facts == "7 ['pass.json', 'icon.png', 'icon@2x.png', 'manifest.json', 'signature']\n")
        // A pass with mistakes is not published.
        _ = try program.writeSource("Ticket.pass", json.replacing("description", with: "remark"))
        let wrong = try await program.run("publish", folder)
        #expect(wrong.code == .notTrusted)
        #expect(wrong.output == "")
    }

    @Test("the folder of a pass replaces a row that is not signed yet")
    func sourceOverRow() async throws {
        try program.addKey()
        let json = """
            {"formatVersion": 1, "passTypeIdentifier": "\(PassMaker.type)",
            "teamIdentifier": "\(PassMaker.team)", "serialNumber": "E4",
            "organizationName": "Example", "description": "Ticket",
            "webServiceURL": "https://wallet.example/", "authenticationToken": "0123456789abcdef",
            "generic": {"primaryFields": [
                {"key": "gate", "value": "{{gate}}", "changeMessage": "%@"}]}}
            """
        let template = try program.writeSource("Template.pass", json)
        let data = try program.write("gate\n6\n", to: "guests.csv")
        let row = try await program.run("publish", template, "--data", data)
        #expect(row.output == "added \(PassMaker.type)/E4\n")
        let folder = try program.writeSource(
            "Ticket.pass", json.replacing("{{gate}}", with: "7"))
        let result = try await program.run("publish", folder)
        #expect(result.errors == "")
        #expect(result.output == "updated \(PassMaker.type)/E4\n")
        let gate = try await program.published(
            "E4", "print(contents['generic']['primaryFields'][0]['value'])")
        #expect(gate == "7\n")
    }
}
