import Foundation
import PassFixtures
import Testing

@Suite("Passes are made as an issuer makes them")
struct PassMakerTests {
    @Test("The openssl program verifies their signature and its time")
    func signed() throws {
        let maker = try PassMaker()
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("passconduit-made-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var recipe = PassRecipe("0001")
        recipe.fields = [.init("gate", "7", label: "Gate", changeMessage: "Gate changed to %@")]
        recipe.signedAt = Date(timeIntervalSince1970: 1_700_000_000)
        recipe.webServiceURL = "https://127.0.0.1/"
        recipe.authenticationToken = "0123456789abcdef"
        try maker.make([recipe], in: folder)
        let line = """
            set -e
            python3 -m zipfile -e 0001.pkpass .
            openssl cms -verify -binary -inform DER -in signature -content manifest.json \
                -CAfile '\(maker.authority)' -purpose any -out /dev/null 2>/dev/null
            openssl cms -cmsout -print -inform DER -in signature -noout | grep 'UTCTIME:'
            grep -o '"[a-zA-Z]*": "[^"]*"' pass.json
            printf '%s  pass.json\n' "$(sed -n 's/.*pass.json": "\\([0-9a-f]*\\).*/\\1/p' manifest.json)" \
                | sha1sum --check --quiet
            """
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", line]
        process.currentDirectoryURL = folder
        process.environment = ["PATH": "/usr/bin:/bin"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(
            decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(text.contains("UTCTIME:Nov 14 22:13:20 2023 GMT"))
        #expect(text.contains("\"serialNumber\": \"0001\""))
        #expect(text.contains("\"changeMessage\": \"Gate changed to %@\""))
        #expect(text.contains("\"webServiceURL\": \"https://127.0.0.1/\""))
    }

    @Test("A thousand passes made at once are all different")
    func many() throws {
        let maker = try PassMaker()
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("passconduit-made-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try maker.make((0..<1_000).map { PassRecipe("\($0)") }, in: folder)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(files.count == 1_000)
        let one = try Data(contentsOf: folder.appendingPathComponent("1.pkpass"))
        #expect(one != (try Data(contentsOf: folder.appendingPathComponent("2.pkpass"))))
    }
}
