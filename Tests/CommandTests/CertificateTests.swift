import Foundation
import PassFixtures
import Testing

@Suite("certificate leads from a request to a certificate that signs")
final class CertificateTests {
    private let issuer: IssuerHome
    private var program: Program { issuer.program }

    init() throws { issuer = try IssuerHome() }

    deinit { issuer.remove() }

    private func path(_ name: String) -> String { issuer.home.folder.appending(path: name).path }

    /// Issues a certificate for the request, as the developer portal does.
    private func issue(
        _ request: String, as file: String, type: String = IssuerHome.passType, days: Int = 365
    ) throws {
        let key = try CertificateRecipe.root.make().keyPath
        let result = try program.shell(
            """
            set -e
            printf '%s\\n' basicConstraints=CA:FALSE extendedKeyUsage=1.2.840.113635.100.4.14 \
                '1.2.840.113635.100.6.1.16=ASN1:UTF8String:\(type)' > extensions
            openssl req -in \(request) -noout -pubkey > public.pem
            openssl req -new -key \(key) -subj '/UID=\(type)/CN=Pass Type ID: \(type)/OU=\(IssuerHome.team)' \
                -out portal.csr
            openssl x509 -req -in portal.csr -force_pubkey public.pem -CA \(issuer.root) -CAkey \(key) \
                -days \(days) -extfile extensions -outform DER -out \(file)
            """)
        #expect(result.status == 0, "\(result.errors)")
    }

    private func request() throws -> Program.Result {
        try program.run([
            "certificate", "request", "--name", "Example Inc.", "--email", "passes@example.com",
            "--country", "US",
        ])
    }

    @Test("request, import, list, sign, export")
    func wholeWay() throws {
        let requested = try request()
        #expect(requested.errors == "")
        #expect(requested.status == 0)
        let text = try run(
            ["openssl", "req", "-in", path("request.csr"), "-noout", "-verify", "-text"], input: [])
        let words = String(decoding: text, as: UTF8.self)
        #expect(words.contains("Public-Key: (2048 bit)"))
        #expect(words.contains("emailAddress = passes@example.com"))
        #expect(words.contains("CN = Example Inc."))
        #expect(words.contains("Signature Algorithm: sha256WithRSAEncryption"))

        let folder = ".config/passconduit/signing"
        let key = try #require(try issuer.names(in: folder).first)
        let modes = try run(
            ["stat", "-c", "%a", path(folder), path("\(folder)/\(key)")], input: [])
        #expect(String(decoding: modes, as: UTF8.self) == "700\n600\n")
        #expect(try program.run(["certificate", "list"]).output == "\(key)  no certificate yet\n")
        let pending = try #require(
            try program.run(["certificate", "list", "--json"]).records.first)
        #expect(pending["record"] as? String == "pendingKey")
        #expect(pending["file"] as? String == key)

        try issue("request.csr", as: "pass.cer")
        let imported = try program.run([
            "certificate", "import", "pass.cer", "--type", IssuerHome.passType, "--team",
            IssuerHome.team,
        ])
        let start = "passconduit: pass.cer: the authority of the certificate, '"
        #expect(imported.errors.hasPrefix(start))
        #expect(
            imported.errors.hasSuffix(
                "sign with --trust-root, or add the authority with `passconduit trust add`\n"))
        #expect(imported.output.hasPrefix("\(IssuerHome.passType)  \(IssuerHome.team)  until "))
        #expect(try program.run(["certificate", "list"]).output == imported.output)
        let records = try program.run(["certificate", "list", "--json"]).records
        #expect(records.count == 1)
        let record = try #require(records.first)
        #expect(record["passTypeIdentifier"] as? String == IssuerHome.passType)
        #expect(record["hasKey"] as? Bool == true)

        #expect(try program.run(["sign", "Ticket.pass"] + issuer.trust).status == 0)
        #expect(try issuer.isTrusted("Ticket.pkpass"))

        try issuer.home.write(Data("sesame".utf8), to: "password")
        let exported = try program.run([
            "certificate", "export", IssuerHome.passType, "--p12", "pass.p12", "--password-file",
            "password",
        ])
        #expect(exported.errors == "")
        let listed = try run(
            [
                "openssl", "pkcs12", "-in", path("pass.p12"), "-passin", "pass:sesame", "-nodes",
                "-info",
            ], input: [])
        #expect(String(decoding: listed, as: UTF8.self).contains(" PRIVATE KEY-----\n"))
        let mode = try run(["stat", "-c", "%a", path("pass.p12")], input: [])
        #expect(String(decoding: mode, as: UTF8.self) == "600\n")

        // The file is complete on another computer.
        let other = try Home(named: "other")
        defer { other.remove() }
        let elsewhere = Program(home: other)
        let joined = try elsewhere.run([
            "certificate", "import", path("pass.p12"), "--password-file", path("password"),
        ])
        #expect(joined.output == imported.output)
        #expect(
            try elsewhere.run(["sign", path("Ticket.pass")] + issuer.trust).status == 0)
    }

    @Test(
        "a name of several lines and what is no mail address are refused",
        arguments: [
            ("Jo\nOU=Staff", "me@example.com", "--name"),
            ("Jo\u{2028}", "me@example.com", "--name"),
            ("Jo", "nope", "--email"), ("Jo", "", "--email"), ("Jo", "@example.com", "--email"),
            ("Jo", "me@", "--email"), ("Jo", "Jo <me@example.com>", "--email"),
            ("Jo", "me@example.com,you@example.com", "--email"),
        ])
    func refused(name: String, address: String, option: String) throws {
        let result = try program.run([
            "certificate", "request", "--name", name, "--email", address,
        ])
        #expect(result.status == 64)
        #expect(result.errors.contains("\(option) needs"), "\(result.errors)")
        #expect(try program.run(["certificate", "list"]).output == "")
    }

    @Test("a request that cannot be written leaves no key")
    func unwritten() throws {
        let result = try program.run([
            "certificate", "request", "--name", "x", "--email", "me@example.com", "-o",
            "nowhere/request.csr",
        ])
        #expect(result.status == 2)
        try issuer.home.write(Data(), to: "request.csr")
        #expect(try request().errors.contains("already exists"))
        #expect(try program.run(["certificate", "list"]).output == "")
    }

    @Test("an authority in the trust folder is not reported when its certificate is imported")
    func trusted() throws {
        _ = try request()
        try issue("request.csr", as: "pass.cer")
        #expect(try program.run(["trust", "add", issuer.root]).status == 0)
        #expect(try program.run(["certificate", "import", "pass.cer"]).errors == "")
        #expect(try program.run(["sign", "Ticket.pass"]).status == 0)
    }

    @Test("the issuers in a PKCS #12 file are imported and exported with the certificate")
    func issuers() throws {
        let intermediate = CertificateRecipe(
            "/CN=Sample Issuer", ["basicConstraints=critical,CA:TRUE"], issuer: .root,
            from: "2020-01-01 00:00:00", days: 8995)
        let certificate = try CertificateRecipe.signer(
            of: IssuerHome.passType, team: IssuerHome.team, issuer: intermediate
        ).make()
        let issuing = try intermediate.make().path
        let made = try program.shell(
            """
            printf sesame > password
            openssl pkcs12 -export -passout pass:sesame -in \(certificate.path) \
                -inkey \(certificate.keyPath) -certfile \(issuing) -out pass.p12
            $PROGRAM certificate import pass.p12 --password-file password &&
            $PROGRAM sign Ticket.pass --trust-root \(issuer.root) &&
            $PROGRAM certificate export \(IssuerHome.passType) --p12 again.p12 \
                --password-file password &&
            openssl pkcs12 -in again.p12 -passin pass:sesame -nokeys -info | grep -c subject=
            """)
        #expect(made.status == 0, "\(made.errors)")
        #expect(made.output.hasSuffix("\n2\n"))
        #expect(try issuer.isTrusted("Ticket.pkpass"))
    }

    @Test("a certificate for something else is refused")
    func refused() throws {
        _ = try request()
        try issue("request.csr", as: "pass.cer")
        let rows: [([String], String)] = [
            (
                ["pass.cer", "--type", "pass.com.example.other"],
                "the certificate is for \(IssuerHome.passType)"
            ),
            (
                ["pass.cer", "--team", "OTHERTEAM1"],
                "the certificate belongs to the team \(IssuerHome.team)"
            ),
            ([issuer.certificate.path], "its key is not on this computer"),
            (["Ticket.pass/pass.json"], "not a certificate in PEM or DER"),
        ]
        for (arguments, message) in rows {
            let result = try program.run(["certificate", "import"] + arguments)
            #expect(result.status == 2)
            #expect(
                result.errors.hasPrefix("passconduit: \(arguments[0]): \(message)"),
                "\(result.errors)")
        }
        #expect(try program.run(["certificate", "list"]).output.hasSuffix("no certificate yet\n"))
    }

    @Test(
        "a certificate that ends within 30 days is reported", arguments: [(29, true), (31, false)])
    func expiry(days: Int, isReported: Bool) throws {
        _ = try request()
        try issue("request.csr", as: "pass.cer", days: days)
        _ = try program.run(["certificate", "import", "pass.cer"])
        let listed = try program.run(["certificate", "list"])
        #expect(listed.errors.contains("request a new one") == isReported)
        #expect(listed.status == 0)
    }

    @Test("of two certificates, the one issued last signs")
    func renewed() throws {
        try issuer.home.write(Data("sesame".utf8), to: "password")
        _ = try request()
        try issue("request.csr", as: "first.cer", days: 10)
        _ = try program.run(["certificate", "import", "first.cer"])
        Thread.sleep(forTimeInterval: 1.1)
        try issue("request.csr", as: "second.cer", days: 300)
        _ = try program.run(["certificate", "import", "second.cer"])
        #expect(try program.run(["certificate", "list"]).lines.count == 2)
        _ = try program.run(["sign", "Ticket.pass"] + issuer.trust)
        let script = """
            import subprocess, sys, zipfile
            signature = zipfile.ZipFile("Ticket.pkpass").read("signature")
            certificates = subprocess.run(
                ["openssl", "pkcs7", "-inform", "DER", "-print_certs"], input=signature,
                check=True, stdout=subprocess.PIPE).stdout
            sys.stdout.buffer.write(certificates)
            """
        let ends = try program.shell(
            "python3 -c '\(script)' | openssl x509 -noout -checkend \(200 * 86_400)")
        #expect(ends.status == 0, "\(ends.output)\(ends.errors)")
    }
}
