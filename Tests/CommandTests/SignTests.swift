import Foundation
import PassFixtures
import Testing

@Suite("sign makes trusted passes of folders, or says what is wrong")
final class SignTests {
    private let issuer: IssuerHome
    private var program: Program { issuer.program }

    init() throws { issuer = try IssuerHome() }

    deinit { issuer.remove() }

    private func sign(_ arguments: String...) throws -> Program.Result {
        try program.run(["sign"] + arguments + issuer.pair + issuer.trust)
    }

    @Test("a folder becomes a file of its name")
    func folder() throws {
        let result = try sign("Ticket.pass")
        #expect(result.errors == "")
        #expect(result.output == "Ticket.pkpass  \(IssuerHome.passType)  1\n")
        #expect(result.status == 0)
        #expect(try issuer.isTrusted("Ticket.pkpass"))
    }

    @Test("openssl verifies the signature, and Python the hashes")
    func others() throws {
        _ = try sign("Ticket.pass")
        let script = """
            import hashlib, json, subprocess, sys, tempfile, zipfile
            archive = zipfile.ZipFile(sys.argv[1])
            for name, digest in json.loads(archive.read("manifest.json")).items():
                assert hashlib.sha1(archive.read(name)).hexdigest() == digest
            with tempfile.TemporaryDirectory() as folder:
                for name in ["manifest.json", "signature"]:
                    archive.extract(name, folder)
                subprocess.run(["openssl", "cms", "-verify", "-binary", "-inform", "DER", "-purpose",
                    "any", "-in", folder + "/signature", "-content", folder + "/manifest.json",
                    "-CAfile", sys.argv[2], "-out", "/dev/null"], check=True, stderr=subprocess.PIPE)
            """
        let file = issuer.home.folder.appending(path: "Ticket.pkpass").path
        _ = try run(["python3", "-c", script, file, issuer.root], input: [])
    }

    @Test("an existing file stays unless --force is given")
    func existing() throws {
        try issuer.home.write(Data("mine".utf8), to: "Ticket.pkpass")
        let refused = try sign("Ticket.pass")
        #expect(refused.status == 2)
        #expect(
            refused.errors == "passconduit: Ticket.pkpass: already exists: --force overwrites it\n")
        #expect(try sign("Ticket.pass", "--force").status == 0)
        #expect(try issuer.isTrusted("Ticket.pkpass"))
    }

    @Test(
        "a pass is not written into its own folder",
        arguments: ["Ticket.pass", "Ticket.pass/x.pkpass"])
    func ownFolder(output: String) throws {
        let result = try sign("Ticket.pass", "-o", output)
        #expect(result.status == 2)
        #expect(
            result.errors.hasSuffix(
                ": it would be in the folder of a pass: name another place with -o\n"))
        #expect(try program.run(["lint", "Ticket.pass"]).status == 0)
    }

    @Test("-o names a file, a folder or standard output")
    func output() throws {
        #expect(try sign("Ticket.pass", "-o", "other.pkpass").status == 0)
        #expect(try issuer.isTrusted("other.pkpass"))
        try issuer.home.write(Data(), to: "out/.keep")
        #expect(
            try sign("Ticket.pass", "-o", "out/").output.hasPrefix("out/Ticket.pkpass  "))
        let piped = try program.shell(
            "$PROGRAM sign Ticket.pass -o - \((issuer.pair + issuer.trust).joined(separator: " ")) > piped"
        )
        #expect(piped.status == 0)
        #expect(try issuer.isTrusted("piped"))
    }

    @Test("several passes become one bundle, which is complete or not written")
    func bundle() throws {
        try issuer.write(serialNumber: "2", to: "Back.pass")
        let made = try sign("Ticket.pass", "Back.pass", "-o", "trip.pkpasses")
        #expect(made.status == 0)
        let script = "import sys, zipfile; print(*zipfile.ZipFile(sys.argv[1]).namelist())"
        let file = issuer.home.folder.appending(path: "trip.pkpasses").path
        let names = try run(["python3", "-c", script, file], input: [])
        #expect(String(decoding: names, as: UTF8.self) == "Back.pkpass Ticket.pkpass\n")
        let verified = try program.run(["verify", "--json", "trip.pkpasses"] + issuer.trust)
        #expect(verified.records.map { $0["verdict"] as? String } == ["trusted", "trusted"])

        try issuer.write(serialNumber: "3", to: "other/Back.pass")
        let same = try sign("Back.pass", "other/Back.pass", "-o", "same.pkpasses", "--json")
        #expect(same.records.map { $0["serialNumber"] as? String } == ["2", "3"])
        let again = try program.run(["verify", "--json", "same.pkpasses"] + issuer.trust)
        #expect(again.records.count == 2)

        try issuer.home.write(Data("{".utf8), to: "Back.pass/pass.json")
        #expect(try sign("Ticket.pass", "Back.pass", "-o", "half.pkpasses").status == 3)
        #expect(try !issuer.names(in: ".").contains("half.pkpasses"))
    }

    @Test("folders of one name in different places give different files")
    func sameName() throws {
        try issuer.write(serialNumber: "2", to: "other/Ticket.pass")
        let result = try sign("Ticket.pass", "other/Ticket.pass", "-o", "out/", "--force")
        #expect(
            result.lines.map { $0.split(separator: " ")[0] } == [
                "out/Ticket.pkpass", "out/Ticket-2.pkpass",
            ])
        #expect(try issuer.isTrusted("out/Ticket-2.pkpass"))
    }

    @Test("a bundle of more than ten passes is refused")
    func largeBundle() throws {
        let folders = (1...11).map { "P\($0).pass" }
        for (number, folder) in folders.enumerated() {
            try issuer.write(serialNumber: "\(number)", to: folder)
        }
        let result = try program.run(
            ["sign", "-o", "many.pkpasses"] + folders + issuer.pair + issuer.trust)
        #expect(result.status == 2)
        #expect(result.errors == "passconduit: many.pkpasses: a bundle has at most 10 passes\n")
    }

    @Test("mistakes are reported with file, key and remedy, and errors are not signed")
    func mistakes() throws {
        try FileManager.default.removeItem(
            at: issuer.home.folder.appending(path: "Ticket.pass/icon.png"))
        try FileManager.default.removeItem(
            at: issuer.home.folder.appending(path: "Ticket.pass/icon@2x.png"))
        let result = try sign("Ticket.pass")
        #expect(result.status == 3)
        #expect(result.errors.hasPrefix("passconduit: Ticket.pass: icon.png: "))
        #expect(try !issuer.names(in: ".").contains("Ticket.pkpass"))
    }

    @Test(
        "keys, passes and data in the folder are not issued",
        arguments: ["key.pem", "pass.p12", "Ticket.pkpass", "guests.csv"])
    func confidential(name: String) throws {
        try issuer.home.write(Data("x".utf8), to: "Ticket.pass/\(name)")
        let result = try sign("Ticket.pass")
        #expect(result.status == 3)
        #expect(result.errors.hasPrefix("passconduit: Ticket.pass: \(name): "))
        #expect(try !issuer.names(in: ".").contains("Ticket.pkpass"))
    }

    @Test("a template is not signed without data")
    func template() throws {
        try issuer.write(serialNumber: "{{serial}}", to: "Ticket.pass")
        let result = try sign("Ticket.pass")
        #expect(result.status == 2)
        #expect(result.errors.hasPrefix("passconduit: Ticket.pass: this is a template: --data"))
    }

    @Test("a pass.json that cannot be read is reported as such")
    func unreadable() throws {
        try issuer.home.write(Data("{\"formatVersion\": 1,".utf8), to: "Ticket.pass/pass.json")
        let result = try program.run(["sign", "Ticket.pass"])
        #expect(result.status == 3)
        #expect(result.errors.hasPrefix("passconduit: Ticket.pass: pass.json: "))
    }

    @Test("lines that cannot be written are an error, and the pass is made")
    func fullOutput() throws {
        let options = (issuer.pair + issuer.trust).joined(separator: " ")
        let result = try program.shell("$PROGRAM sign Ticket.pass \(options) > /dev/full")
        #expect(result.status == 2)
        #expect(result.errors.hasPrefix("passconduit: standard output: "))
        #expect(try issuer.isTrusted("Ticket.pkpass"))
    }

    @Test("two passes with the same serial number are an error")
    func repeated() throws {
        try issuer.write(serialNumber: "1", to: "Again.pass")
        let result = try sign("Ticket.pass", "Again.pass", "-o", ".")
        #expect(result.status == 3)
        #expect(result.errors.contains("Again.pass: pass.json: serialNumber: "))
        #expect(try issuer.names(in: ".").contains("Ticket.pkpass"))
    }

    @Test("--json prints a record for each pass")
    func json() throws {
        let record = try #require(try sign("Ticket.pass", "--json").records.first)
        let digest = try run(
            ["sha256sum", issuer.home.folder.appending(path: "Ticket.pkpass").path], input: [])
        #expect(record["record"] as? String == "signedPass")
        #expect(record["file"] as? String == "Ticket.pkpass")
        #expect(record["serialNumber"] as? String == "1")
        #expect(record["sha256"] as? String == String(decoding: digest.prefix(64), as: UTF8.self))
    }

    @Test("an authority that is not trusted signs nothing")
    func untrusted() throws {
        let result = try program.run(
            ["sign", "Ticket.pass", "--intermediate", issuer.root] + issuer.pair)
        #expect(result.status == 3)
        #expect(result.errors.contains("the signed pass would not be trusted"))
        #expect(
            result.errors.hasSuffix(
                "; trust an authority of your own with --trust-root or `passconduit trust add`\n"))
        #expect(try !issuer.names(in: ".").contains("Ticket.pkpass"))
        let unknown = try program.run(["sign", "Ticket.pass"] + issuer.pair)
        #expect(unknown.status == 2)
        #expect(
            unknown.errors.hasSuffix(
                "or an authority of your own with --trust-root or `passconduit trust add`\n"))
        #expect(try program.run(["trust", "add", issuer.root]).status == 0)
        #expect(try program.run(["sign", "Ticket.pass"] + issuer.pair).status == 0)
    }

    @Test(
        "wrong arguments are explained",
        arguments: [
            (["nowhere"], 2, "nowhere: "),
            (
                ["Ticket.pass", "Ticket.pass", "-o", "one.pkpass"], 64,
                "several passes need a bundle"
            ),
            (["Ticket.pass", "--name", "x"], 64, "--name needs --data"),
            (["Ticket.pass", "--data", "rows.csv"], 64, "--data needs the folder of the passes"),
        ] as [([String], Int32, String)])
    func wrong(arguments: [String], status: Int32, message: String) throws {
        let result = try program.run(["sign"] + arguments + issuer.pair + issuer.trust)
        #expect(result.status == status)
        #expect(result.errors.hasPrefix("passconduit: \(message)"))
    }
}
