import PassVerification

extension VerdictTests {
    static let signatures = [
        Row("no signature to read", .malformed, ["signature-unreadable"]) {
            $0.signature = { _ in Array("hello".utf8) }
        },
        Row("an empty signature", .malformed, ["signature-unreadable"]) {
            $0.edit = "e[-1] = ('signature', b'')"
        },
        Row("BER, with bytes behind the end", .trusted) {
            // Makes the length of the outermost value indefinite, so that two zeros end it.
            $0.signature = { [0x30, 0x80] + $0.dropFirst(4) + Array(repeating: 0, count: 11) }
        },
        Row("a length octet that X.690 reserves", .malformed, ["signature-unreadable"]) {
            $0.signature = { withLength(of: 0x7f, $0) }
        },
        Row("a length in nine octets", .malformed, ["signature-unreadable"]) {
            $0.signature = { withLength(of: 9, $0) }
        },
        Row("a length in four octets", .trusted) { $0.signature = { withLength(of: 4, $0) } },
        Row("attached", .trusted, notes: ["signature-attached"]) { $0.options += ["-nodetach"] },
        Row("attached, of something else", .tampered, ["signature-other-content"]) {
            $0.options += ["-nodetach"]
            $0.edit = "e = [(n, b + b' ' if n == 'manifest.json' else b) for n, b in e]"
        },
        Row("over another manifest", .tampered, ["signature-mismatch"]) {
            $0.edit = "e = [(n, b + b' ' if n == 'manifest.json' else b) for n, b in e]"
        },
        Row("over the manifest with CRLF", .tampered, ["signature-line-ends"]) { $0.options = [] },
        Row("without the certificate", .tampered, ["signature-no-certificate"]) {
            $0.options += ["-nocerts"]
        },
        Row("a byte of the signature itself changed", .tampered, ["signature-mismatch"]) {
            $0.signature = { $0.dropLast() + [$0[$0.count - 1] ^ 1] }
        },
        Row("two signers", .untrusted, ["several-signers"]) { $0.signers = ["leaf", "rsa"] },
        Row("MD5", .untrusted, ["weak-digest"]) {
            $0.signers = ["rsa"]
            $0.options += ["-md", "md5"]
        },
        Row("SHA-1", .trusted) { $0.options += ["-md", "sha1"] },
        Row("SHA-512", .trusted) { $0.options += ["-md", "sha512"] },
        Row("RSA", .trusted) { $0.signers = ["rsa"] },
        Row("RSA-PSS", .trusted) {
            $0.signers = ["rsa"]
            $0.options += ["-keyopt", "rsa_padding_mode:pss"]
        },
        Row("named by its key", .trusted) { $0.options += ["-keyid"] },
        Row("made for something else", .untrusted, ["unexpected-content-type"]) {
            $0.options += ["-econtent_type", "1.2.840.113549.1.9.16.1.4"]
        },
        Row("no signed attributes", .untrusted, ["no-signing-time"]) { $0.options += ["-noattr"] },
        Row("signed tomorrow and later", .untrusted, ["signing-time-in-future"]) {
            $0.signers = ["by-root"]
            $0.certificates = []
            $0.date = "2040-01-01"
        },
    ]

    static let signers = [
        Row("issued by the anchor itself", .trusted) {
            $0.signers = ["by-root"]
            $0.certificates = []
        },
        Row("the issuer is not there", .untrusted, ["no-path-to-anchor"]) { $0.certificates = [] },
        Row("others are there in its place", .untrusted, ["no-path-to-anchor"]) {
            $0.certificates = ["stranger", "impostor", "short"]
        },
        Row("many are there besides", .trusted) {
            $0.certificates = ["impostor", "stranger", "intermediate", "short", "root"]
        },
        Row("another issuer of the name is there, before the right one", .trusted) {
            $0.signers = ["leaf-bare"]
            $0.certificates = ["impostor", "intermediate"]
        },
        Row("only another issuer of the name is there", .untrusted, ["no-path-to-anchor"]) {
            $0.signers = ["leaf-bare"]
            $0.certificates = ["impostor"]
        },
        Row("issued by a certificate for mail only", .untrusted, ["chain-invalid"]) {
            $0.signers = ["by-mail"]
            $0.certificates = ["mail-authority"]
        },
        Row("issued by a certificate for passes and mail", .trusted) {
            $0.signers = ["by-several-purposes"]
            $0.certificates = ["several-purposes"]
        },
        Row("issued under the issuer's name", .untrusted, ["no-path-to-anchor"]) {
            $0.signers = ["forged"]
        },
        Row("issued under the issuer's name, without its key", .untrusted, ["chain-invalid"]) {
            $0.signers = ["forged-bare"]
        },
        Row("issued under the anchor's name", .untrusted, ["chain-invalid"]) {
            $0.signers = ["forged-root"]
            $0.certificates = []
        },
        Row("issued by one who takes the anchor's name", .untrusted, ["chain-invalid"]) {
            $0.signers = ["forged-root"]
            $0.certificates = ["root-impostor"]
        },
        Row("issued by an impostor who is there", .untrusted, ["no-path-to-anchor"]) {
            $0.signers = ["forged"]
            $0.certificates = ["impostor", "stranger"]
        },
        Row("issued by itself", .untrusted, ["no-path-to-anchor"]) { $0.signers = ["self-signed"] },
        Row("issued by a certificate for passes", .untrusted, ["chain-invalid"]) {
            $0.signers = ["by-leaf"]
            $0.certificates = ["leaf", "intermediate"]
        },
        Row("issued by one that MD5 vouches for", .untrusted, ["chain-weak-digest"]) {
            $0.signers = ["by-md5"]
            $0.certificates = ["md5"]
        },
        Row("signed after it expired", .untrusted, ["certificate-not-valid"]) {
            $0.date = "2023-06-01"
        },
        Row("signed before it was made", .untrusted, ["certificate-not-valid"]) {
            $0.date = "2020-12-01"
        },
        Row("signed in 1970", .untrusted, ["certificate-not-valid"]) { $0.date = "1970-01-02" },
        Row("signed after the issuer expired", .untrusted, ["certificate-not-valid"]) {
            $0.signers = ["by-short"]
            $0.certificates = ["short"]
        },
        Row("no purpose", .untrusted, ["wrong-certificate-purpose"]) {
            $0.signers = ["purposeless"]
        },
        Row("the purpose of mail", .untrusted, ["wrong-certificate-purpose"]) {
            $0.signers = ["mail"]
        },
        Row("bytes after the purposes", .untrusted, ["wrong-certificate-purpose"]) {
            $0.signers = ["purpose-and-byte"]
        },
        Row("a key on secp256k1", .untrusted, ["unusual-key"]) { $0.signers = ["secp256k1"] },
        Row("an issuer's key on secp256k1", .untrusted, ["unusual-key"]) {
            $0.signers = ["by-koblitz"]
            $0.certificates = ["koblitz"]
        },
        Row("a key on brainpoolP256r1", .untrusted, ["unusual-key"]) {
            $0.signers = ["brainpool"]
        },
        Row("a key on P-384", .trusted) { $0.signers = ["p-384"] },
        Row("a key of 512 bits", .untrusted, ["weak-key"]) { $0.signers = ["weak"] },
        Row("a key of 768 bits", .untrusted, ["weak-key"]) { $0.signers = ["72-bits"] },
        Row("a key of 1,024 bits", .trusted, notes: ["weak-key"]) { $0.signers = ["80-bits"] },
        Row("no extension", .untrusted, ["pass-type-extension-missing"]) {
            $0.signers = ["unnamed"]
        },
        Row("another type in the extension", .untrusted, ["pass-type-mismatch"]) {
            $0.signers = ["misnamed"]
        },
        Row("another kind of text in the extension", .untrusted, ["pass-type-mismatch"]) {
            $0.signers = ["printable"]
        },
        Row("no user identifier", .untrusted, ["pass-type-mismatch"]) { $0.signers = ["nobody"] },
        Row("a user identifier with capitals", .untrusted, ["pass-type-mismatch"]) {
            $0.signers = ["lookalike"]
        },
        Row("two user identifiers", .untrusted, ["pass-type-mismatch"]) {
            $0.signers = ["two-types"]
        },
        Row("another team", .untrusted, ["team-mismatch"]) { $0.signers = ["stranger-team"] },
        Row("two teams", .untrusted, ["team-mismatch"]) { $0.signers = ["two-teams"] },
        Row("a pass without a team", .untrusted, ["team-mismatch"], notes: ["missing-key"]) {
            $0.files[0].text.replace("teamIdentifier", with: "team")
        },
        Row(
            "a pass of another type and team", .untrusted,
            ["pass-type-mismatch", "pass-type-mismatch", "team-mismatch"]
        ) {
            $0.files[0].text.replace("com.example.test", with: "com.example.other")
            $0.files[0].text.replace("TEAM123456", with: "TEAM654321")
        },
    ]
}

/// The signature, whose outermost length is `82 xx xx`, with the length in this number of octets.
private func withLength(of count: UInt8, _ signature: [UInt8]) -> [UInt8] {
    [0x30, 0x80 | count] + Array(repeating: 0, count: Int(count) - 2) + signature.dropFirst(2)
}
