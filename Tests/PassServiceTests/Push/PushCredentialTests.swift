import Foundation
import Glibc
import PassFixtures
import PassService
import PassSigning
import Testing

@Suite("A credential is a certificate for a pass type with its key, or a key of a team")
struct PushCredentialTests {
    @Test("a certificate has a pass type, and a key has none")
    func types() throws {
        #expect(try PushSite.credential().passTypeIdentifier == PushSite.type)
        let key = try PushSite.tokenKey()
        #expect(try PushSite.tokenCredential(key).passTypeIdentifier == nil)
    }

    @Test("a key in ssh-agent cannot be used")
    func agent() throws {
        let certificate = try PushSite.certificate()
        let socket = try fixtureFolder().appending(path: "agent").path
        // The agent must not keep pipes of this process open, since others wait for their ends.
        let start = """
            for file in /proc/$$/fd/*; do
                number=${file##*/}
                [ $number -le 2 ] || eval "exec $number>&-"
            done
            exec ssh-agent -c -a "$0" > "$0.log" 2>&1 < /dev/null
            """
        _ = try run(["bash", "-c", start, socket], input: [])
        // setenv SSH_AGENT_PID 1234;
        let log = try String(contentsOfFile: "\(socket).log", encoding: .utf8)
        let words = log.split { " ;\n".contains($0) }
        let position = try #require(words.firstIndex(of: "SSH_AGENT_PID"))
        let process = try #require(pid_t(words[position + 1]))
        // The agent inherits a blocked SIGTERM.
        defer { kill(process, SIGKILL) }
        _ = try run(
            ["env", "SSH_AUTH_SOCK=\(socket)", "ssh-add", "-q", "-"],
            input: bytes(certificate.keyPath))
        let identity = try SigningIdentity(
            certificate: bytes(certificate.path), agent: socket,
            issuers: [bytes(CertificateRecipe.root.make().path)])
        #expect(throws: PushError.keyElsewhere(certificate: identity.name)) {
            try PushCredential(identity)
        }
    }

    @Test("a certificate without a pass type cannot be used")
    func noType() throws {
        let certificate = try CertificateRecipe(
            "/CN=Ana", ["extendedKeyUsage=clientAuth"], issuer: .root
        ).make()
        let identity = try SigningIdentity(
            certificate: bytes(certificate.path), key: bytes(certificate.keyPath),
            issuers: [bytes(CertificateRecipe.root.make().path)])
        #expect(throws: PushError.noPassType(certificate: "Ana")) { try PushCredential(identity) }
    }

    @Test("other keys sign no tokens", arguments: ["P-384", "P-521"])
    func curves(curve: String) throws {
        let key = try PushSite.tokenKey(curve: curve)
        #expect(throws: PushError.notATokenKey(path: key.path)) {
            try PushSite.tokenCredential(key)
        }
    }

    @Test("an RSA key, a text file and a missing file sign no tokens")
    func others() throws {
        let rsa = URL(filePath: try PushSite.certificate().keyPath)
        let text = try fixtureFolder().appending(path: "text.p8")
        try Data("sesame".utf8).write(to: text)
        for file in [rsa, text] {
            try setMode(0o600, of: file)
            #expect(throws: PushError.notATokenKey(path: file.path)) {
                try PushSite.tokenCredential(file)
            }
        }
        let missing = text.appendingPathExtension("missing")
        #expect(throws: PushError.secretFile(.cannotRead(path: missing.path, code: ENOENT))) {
            try PushSite.tokenCredential(missing)
        }
    }

    @Test("a key that everyone can read is refused")
    func readable() throws {
        let key = try PushSite.tokenKey()
        try setMode(0o644, of: key)
        #expect(throws: PushError.secretFile(.readableByOthers(path: key.path))) {
            try PushSite.tokenCredential(key)
        }
    }
}
