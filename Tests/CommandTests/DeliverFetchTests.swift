import Foundation
import PassFixtures
import Testing

@Suite("Mail never triggers a download")
final class DeliverFetchTests {
    private let home: Home
    private let deliver: Program
    private let passconduit: Program
    private let passes: TestPasses

    /// The programs in a folder of their own, with a passconduit-fetch that only creates a file.
    init() throws {
        home = try Home()
        passes = try TestPasses.make()
        for name in ["passconduit", "passconduit-deliver"] {
            try home.write(Data(), to: "bin/\(name)")
            try FileManager.default.removeItem(atPath: home.path("bin/\(name)"))
            try FileManager.default.copyItem(
                atPath: Program(name, home: home).path, toPath: home.path("bin/\(name)"))
        }
        let mark = "#!/bin/sh\n: > '\(home.path("mark"))'\n"
        try home.write(Data(mark.utf8), to: "bin/passconduit-fetch")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: home.path("bin/passconduit-fetch"))
        deliver = Program(home.path("bin/passconduit-deliver"), home: home)
        passconduit = Program(home.path("bin/passconduit"), home: home)
    }

    deinit { home.remove() }

    private var fetches: Bool { FileManager.default.fileExists(atPath: home.path("mark")) }

    private func part(_ name: String) throws -> String {
        let octets = try passes.data(name).base64EncodedString(options: .lineLength76Characters)
        return """
            Content-Type: application/vnd.apple.pkpass
            Content-Transfer-Encoding: base64

            \(octets)

            """
    }

    @Test("no link in a mail is fetched, and no line that looks like a list of URLs")
    func delivered() throws {
        let url = "https://127.0.0.1:9/ticket.pkpass"
        let link = """
            From: Ada <ada@example.org>
            MIME-Version: 1.0
            Content-Type: multipart/mixed; boundary=b

            --b
            Content-Type: text/html

            <p><a href="\(url)" type="application/vnd.apple.pkpass">Your ticket</a></p>
            --b
            \(try part("trusted.pkpass"))
            --b--

            """
        let list = String(repeating: "\(url)\n", count: 3000)
        let mails = [link, list, list + (try part("trusted.pkpass"))]
        for mail in mails {
            for options in [[], ["--header"], ["--spool"]] {
                let result = try deliver.run(passes.trust + options, input: Data(mail.utf8))
                #expect(result.status == 0)
            }
        }
        #expect(!fetches)
        // The messages were read.
        #expect(try passconduit.run(["list", "--json"]).records.count == 1)
        // Check that this program is the one that an import starts.
        _ = try passconduit.run(["import", url])
        #expect(fetches)
    }
}
