import Foundation
import Testing

@testable import PassImport

@Suite("Passes are found in OpenPGP messages that are signed but not encrypted")
struct OpenPGPTests {
    @Test(
        "written by GnuPG",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/gpg"), "needs gnupg"))
    func gnuPG() async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        try tree.write(try MailTree.sample("trusted/boarding-pass-air-gate-4"), to: "in")
        // The key is made in a folder of its own. An agent's socket needs a short path.
        try tree.shell(
            """
            export GNUPGHOME=$(mktemp -d /tmp/gpg-XXXXXX)
            trap 'gpgconf --kill all; rm -rf "$GNUPGHOME"' EXIT
            gpg="gpg --batch --quiet --trust-model always"
            $gpg --passphrase '' --quick-gen-key a@b.example default default never 2>log
            mkdir signed encrypted
            for form in uncompressed zip zlib bzip2; do
                for armor in --no-armor --armor; do
                    $gpg --compress-algo $form $armor -o signed/$form$armor --sign in
                    $gpg --compress-algo $form $armor --sign < in > signed/$form$armor-pipe
                    $gpg --compress-algo $form $armor -o signed/$form$armor-store --store in
                done
            done
            $gpg -r a@b.example -o encrypted/key -e in
            $gpg -r a@b.example --armor -o encrypted/armor -se in
            $gpg --passphrase x --pinentry-mode loopback -o encrypted/passphrase -c in
            """)
        let options = try MailTree.options()
        let signed = try await tree.run(options, ["signed"]).lines
        #expect(signed.count == 24)
        #expect(signed.allSatisfy { $0.hasSuffix(" trusted") }, "\(signed)")
        let encrypted = try await tree.run(options, ["encrypted"]).lines
        #expect(encrypted.count == 3)
        #expect(encrypted.allSatisfy { $0.hasSuffix("format-not-read") }, "\(encrypted)")
    }

    @Test(
        "behind other text, in HTML and with line breaks, in each encoding",
        arguments: [
            ("text/plain", "Hello,\n\n", "\n", "\nBye.\n"),
            ("text/html", "<html><body><pre>\n", "\n", "\n</pre>\n"),
            ("text/html", "<html><body><p>Hello<br>\n", "<br>\n", "<br>\n</p>\n"),
            ("text/html", "<html><body>", "<br>\n", "<br>\n</body></html>\n"),
        ])
    func inText(type: String, before: String, lineEnd: String, after: String) async throws {
        let tree = try MailTree()
        defer { tree.remove() }
        let pass = try MailTree.sample("trusted/boarding-pass-air-gate-4")
        // A literal packet (RFC 9580, 5.9).
        var body = Data([UInt8(ascii: "b"), 8]) + Data("t.pkpass".utf8) + Data(count: 4)
        body += pass
        var packet = Data([0xCB, 0xFF])
        for shift in [24, 16, 8, 0] {
            packet.append(UInt8(truncatingIfNeeded: body.count >> shift))
        }
        let digits = (packet + body).base64EncodedString(
            options: [.lineLength64Characters, .endLineWithLineFeed])
        let lines =
            ["-----BEGIN PGP MESSAGE-----", "Version: x", ""]
            + digits.split(separator: "\n").map(String.init) + ["-----END PGP MESSAGE-----"]
        let text = before + lines.joined(separator: lineEnd) + after
        let start = "Subject: x\nContent-Type: \(type)\nContent-Transfer-Encoding: "
        try tree.write("\(start)7bit\n\n\(text)", to: "a.eml")
        try tree.write("\(start)base64\n\n\(MailTree.base64(Data(text.utf8)))\n", to: "b.eml")
        #expect(try await tree.run(try MailTree.options()).outcomes == ["trusted", "trusted"])
    }
}
