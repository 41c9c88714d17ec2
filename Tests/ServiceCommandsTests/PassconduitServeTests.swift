import Bytes
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

@Suite("passconduit-serve publishes trusted passes, and says what is in the store")
struct PassconduitServeTests {
    private let folder: URL
    private let maker: PassMaker

    init() throws {
        folder = try fixtureFolder()
        maker = try PassMaker()
    }

    private struct Result {
        let code: ExitCode
        let output: String
        let errors: String
    }

    private func run(_ arguments: String...) async throws -> Result {
        let files = ["output", "errors"].map { folder.appending(path: $0).path }
        let streams = try files.map { try FileDescriptor.temporary(at: $0) }
        let environment = Environment(["HOME": folder.path])
        let shell = ServiceShell(environment, output: streams[0], errors: streams[1])
        let code = await PassconduitServe.run(arguments, in: shell)
        for stream in streams { stream.close() }
        let texts = try files.map { try String(contentsOfFile: $0, encoding: .utf8) }
        return Result(code: code, output: texts[0], errors: texts[1])
    }

    private func write(_ serial: String, gate: String = "7", token: String? = nil) throws -> String
    {
        var recipe = PassRecipe(serial)
        recipe.fields = [PassRecipe.Field("gate", gate)]
        recipe.webServiceURL = "https://wallet.example/"
        recipe.authenticationToken = token ?? "vxwxd7J8AlNNFPS8k0a0FfUFtq0ewzFdc"
        try maker.make([recipe], in: folder)
        return folder.appending(path: recipe.file).path
    }

    private var store: String { folder.appending(path: "store").path }

    @Test("a pass is added, unchanged, then updated")
    func publish() async throws {
        let file = try write("E4")
        let trust = ["--trust-root", maker.authority]
        for (gate, line) in [("7", "added"), ("7", "unchanged"), ("8", "updated")] {
            if line == "updated" { _ = try write("E4", gate: gate) }
            let result = try await run("publish", "--store", store, trust[0], trust[1], file)
            #expect(result.code == .done)
            #expect(result.output == "\(line) \(PassMaker.type)/E4\n")
            #expect(result.errors == "")
        }
        let json = try await run(
            "publish", "--store", store, trust[0], trust[1], "--json", file)
        let identity = PassIdentity(passTypeIdentifier: PassMaker.type, serialNumber: "E4")
        let key = try #require(
            try await ServiceStore(at: URL(filePath: store)).pass(identity)
        ).downloadKey
        let head =
            #"{"version":1,"record":"publication","file":"\#(file)","#
            + #""passTypeIdentifier":"\#(PassMaker.type)","serialNumber":"E4","#
            + #""publication":"unchanged","downloadKey":"\#(key)","sha256":""#
        #expect(json.output.hasPrefix(head))
        let status = try await run("status", "--store", store, "--json")
        #expect(
            status.output == #"{"version":1,"record":"serviceStatus","passes":1,"devices":0,"#
                + #""registrations":0,"logLines":0,"pendingPushes":0,"deliveredPushes":0,"#
                + #""refusedPushes":0,"removedRegistrations":0,"fetches":0,"tag":"2"}"# + "\n")
        #expect(
            try await run("status", "--store", store).output
                == "1 pass\n0 devices\n0 registrations\n0 pending pushes\n0 delivered pushes\n"
                + "0 refused pushes\n0 removed registrations\n0 fetches\n0 log lines\n")
    }

    @Test("other files are refused, and do not keep the rest from being published")
    func refusals() async throws {
        let good = try write("E4")
        let short = try write("E5", token: "short")
        let text = folder.appending(path: "text").path
        try Data("hello".utf8).write(to: URL(filePath: text))
        let missing = folder.appending(path: "missing").path
        let untrusted = try await run("publish", "--store", store, good)
        #expect(untrusted.code == .notTrusted)
        #expect(untrusted.errors.hasPrefix("passconduit-serve: \(good): untrusted - "))
        for (file, code, problem) in [
            (short, ExitCode.notTrusted, "the pass has no authenticationToken of at least 16 "),
            (text, .notTrusted, "malformed - "),
            (missing, .unreadable, "cannot open: no such file or directory"),
        ] {
            let result = try await run(
                "publish", "--store", store, "--trust-root", maker.authority, file, good)
            #expect(result.code == code)
            #expect(result.output.hasSuffix(" \(PassMaker.type)/E4\n"))
            #expect(result.errors.hasPrefix("passconduit-serve: \(file): \(problem)"))
        }
    }

    @Test("a pass is declared void, signed with the key of the signing folder")
    func void() async throws {
        let trust = ["--trust-root", maker.authority]
        _ = try await run("publish", "--store", store, trust[0], trust[1], write("E4"))
        func void(_ serial: String) async throws -> Result {
            try await run("void", "--store", store, trust[0], trust[1], PassMaker.type, serial)
        }
        let missing = try await void("E5")
        #expect(missing.code == .nothingFound)
        #expect(
            missing.errors
                == "passconduit-serve: there is no pass \(PassMaker.type)/E5 in the store\n"
        )
        #expect(try await void("E4").code == .unreadable)
        let signer = try CertificateRecipe.signer(of: PassMaker.type, team: PassMaker.team).make()
        let pkcs12 = try PassFixtures.run(
            [
                "openssl", "pkcs12", "-export", "-in", signer.path, "-inkey", signer.keyPath,
                "-keypbe", "NONE", "-certpbe", "NONE", "-nomac", "-passout", "pass:",
            ], input: [])
        let keys = folder.appending(path: ".config/passconduit/signing")
        _ = try SigningFolder(keys).add(pkcs12: pkcs12, password: nil)
        let voided = try await void("E4")
        #expect(voided.errors == "")
        #expect(voided.output == "updated \(PassMaker.type)/E4\n")
        #expect(try await void("E4").output == "unchanged \(PassMaker.type)/E4\n")
        let identity = PassIdentity(passTypeIdentifier: PassMaker.type, serialNumber: "E4")
        let published = try await ServiceStore(at: URL(filePath: store))
        let bytes = try #require(try await published.file(of: identity)).bytes
        let program = """
            import io, json, sys, zipfile
            archive = zipfile.ZipFile(io.BytesIO(sys.stdin.buffer.read()))
            contents = json.loads(archive.read("pass.json"))
            print(contents["voided"], contents["serialNumber"])
            """
        let facts = try PassFixtures.run(["python3", "-c", program], input: bytes)
        #expect(String(streamSafe: facts) == "True E4\n")
    }

    @Test("messages of devices are printed on one line each, escaped on terminals and in text")
    func log() async throws {
        let store = try await ServiceStore(at: URL(filePath: store))
        let moment = Date(timeIntervalSince1970: 1_790_000_000)
        try await store.log(["bad signature", "red \u{1B}[31m"], at: moment)
        let all = try await run("log", "--store", self.store)
        // date --utc --date=@1790000000 +%FT%TZ
        #expect(
            all.output
                == "2026-09-21T14:13:20Z red \\u{1B}[31m\n2026-09-21T14:13:20Z bad signature\n")
        let json = try await run("log", "--store", self.store, "--json", "red")
        #expect(
            json.output == #"{"version":1,"record":"deviceLog","received":"2026-09-21T14:13:20Z","#
                + #""text":"red \u001b[31m"}"# + "\n")
        #expect(try await run("log", "--store", self.store, "blue").code == .nothingFound)
    }

    @Test(
        "a wrong command line is explained",
        arguments: [
            ["status"], ["status", "--store", ""], ["publish", "--store", "a"], ["unknown"],
            ["run", "--store", "a", "--prefix", "wallet"], ["run", "--store", "a", "--port", "x"],
            ["log", "--store", "a", "--limit", "0"],
        ])
    func usage(arguments: [String]) async throws {
        let environment = Environment(["HOME": folder.path])
        let errors = try FileDescriptor.temporary(at: folder.appending(path: "errors").path)
        defer { errors.close() }
        let shell = ServiceShell(environment, output: errors, errors: errors)
        #expect(await PassconduitServe.run(arguments, in: shell) == .usage)
    }

    @Test("a missing store is an error, but for publishing and serving")
    func missingStore() async throws {
        for command in ["status", "log"] {
            let result = try await run(command, "--store", store)
            #expect(result.code == .unreadable)
            #expect(result.errors == "passconduit-serve: there is no store at \(store)\n")
        }
    }
}

extension FileDescriptor {
    static func temporary(at path: String) throws -> FileDescriptor {
        let number = unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        try #require(number >= 0)
        return FileDescriptor(number)
    }
}
