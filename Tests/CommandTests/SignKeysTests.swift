import Foundation
import PassFixtures
import Testing

@Suite("sign takes keys from files, ssh-agent and tokens, and no password from its arguments")
final class SignKeysTests {
    private let issuer: IssuerHome
    private var program: Program { issuer.program }

    init() throws { issuer = try IssuerHome() }

    deinit { issuer.remove() }

    private func sign(_ arguments: [String], in program: Program? = nil) throws -> Program.Result {
        try (program ?? self.program).run(
            ["sign", "Ticket.pass", "--force"] + arguments + issuer.trust)
    }

    private func path(_ name: String) -> String { issuer.home.folder.appending(path: name).path }

    /// Makes a PKCS #12 file with openssl.
    private func makePKCS12(_ name: String, _ options: [String], password: String) throws {
        let contents = try run(
            [
                "openssl", "pkcs12", "-export", "-passout", "pass:\(password)",
                "-in", issuer.certificate.path, "-inkey", issuer.certificate.keyPath,
            ] + options, input: [])
        try issuer.home.write(Data(contents), to: name)
    }

    @Test(
        "PKCS #12 files of today and of old keychains",
        arguments: [[], ["-legacy"], ["-legacy", "-certpbe", "PBE-SHA1-RC2-40"]])
    func pkcs12(options: [String]) throws {
        try makePKCS12("pass.p12", options, password: "sesame")
        try issuer.home.write(Data("sesame\n".utf8), to: "password")
        #expect(try sign(["--p12", "pass.p12", "--password-file", "password"]).status == 0)
        #expect(try issuer.isTrusted("Ticket.pkpass"))
    }

    @Test("the password comes from a descriptor")
    func descriptor() throws {
        try makePKCS12("pass.p12", [], password: "open sesame")
        let result = try program.shell(
            "printf 'open sesame' | { exec 7<&0; $PROGRAM sign Ticket.pass --p12 pass.p12 "
                + "--password-fd 7 --trust-root \(issuer.root) < /dev/null; }")
        #expect(result.errors == "")
        #expect(result.status == 0)
    }

    @Test("the password is asked for on the terminal, and not shown")
    func prompt() throws {
        try makePKCS12("pass.p12", [], password: "sesame")
        let script = """
            import os, pty, sys, termios
            pid, terminal = pty.fork()
            if pid == 0:
                os.execv(sys.argv[1], sys.argv[1:])
            before = termios.tcgetattr(terminal)
            shown = b""
            while b": " not in shown:
                shown += os.read(terminal, 4096)
            os.write(terminal, b"sesamX\\x7f\\x1ae\\r")
            try:
                while True:
                    shown += os.read(terminal, 4096)
            except OSError:
                pass
            assert termios.tcgetattr(terminal) == before
            assert b"sesam" not in shown, shown
            sys.stdout.write(shown.decode())
            sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
            """
        let result = try program.execute(
            "/usr/bin/env",
            [
                "python3", "-c", script, program.path, "sign", "Ticket.pass", "--p12", "pass.p12",
                "--trust-root", issuer.root,
            ], input: Data())
        #expect(result.errors == "")
        #expect(result.status == 0)
        #expect(result.output.hasPrefix("Password of pass.p12: \r\n"))
        #expect(try issuer.isTrusted("Ticket.pkpass"))
    }

    @Test(
        "a signal at the question ends the program, and echo is on again",
        arguments: [SIGHUP, SIGINT, SIGQUIT, SIGTERM])
    func signalled(signal: CInt) throws {
        try makePKCS12("pass.p12", [], password: "sesame")
        let script = """
            import os, pty, signal, sys, termios
            pid, terminal = pty.fork()
            if pid == 0:
                # A shell starts background jobs with signals ignored.
                signal.signal(int(sys.argv[1]), signal.SIG_DFL)
                os.execv(sys.argv[2], sys.argv[2:])
            before = termios.tcgetattr(terminal)
            shown = b""
            while b": " not in shown:
                shown += os.read(terminal, 4096)
            assert not termios.tcgetattr(terminal)[3] & termios.ECHO
            os.kill(pid, int(sys.argv[1]))
            try:
                while True:
                    shown += os.read(terminal, 4096)
            except OSError:
                pass
            assert termios.tcgetattr(terminal) == before
            sys.stdout.write(shown.decode())
            sys.exit(-os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
            """
        let result = try program.execute(
            "/usr/bin/env",
            [
                "python3", "-c", script, String(signal), program.path, "sign", "Ticket.pass",
                "--p12", "pass.p12",
            ], input: Data())
        #expect(result.errors == "")
        #expect(result.output == "Password of pass.p12: \r\n")
        #expect(result.status == signal)
    }

    @Test("each mistake with a file has its own message")
    func errors() throws {
        try makePKCS12("pass.p12", [], password: "sesame")
        try makePKCS12("bare.p12", ["-nokeys"], password: "sesame")
        try issuer.home.write(Data("simsim\n".utf8), to: "wrong")
        try issuer.home.write(Data("sesame\n".utf8), to: "right")
        let other = try CertificateRecipe.signer(of: "pass.com.example.other", team: "X").make()
        let rows: [([String], String)] = [
            (["--p12", "pass.p12", "--password-file", "wrong"], "pass.p12: the password is wrong"),
            (["--p12", "pass.p12"], "pass.p12: a password is needed"),
            (
                ["--p12", "bare.p12", "--password-file", "right"],
                "bare.p12: there is no private key in it"
            ),
            (
                ["--certificate", issuer.certificate.path, "--key", other.keyPath],
                "\(other.keyPath): the key does not belong to the certificate"
            ),
            (["--p12", issuer.root], "\(issuer.root): not a PKCS #12 file"),
            (["--p12", "nowhere.p12"], "nowhere.p12: "),
            (
                ["--certificate", issuer.certificate.path, "--key", "agent"],
                "\(issuer.certificate.path): ssh-agent does not answer"
            ),
            (
                ["--certificate", issuer.certificate.path, "--key", "pkcs11:pin-value=1234"],
                "--key: the URI contains the PIN"
            ),
            (
                ["--certificate", issuer.certificate.path, "--key", "pkcs11:token=Nobody"],
                "pkcs11:token=Nobody: no token matches the URI"
            ),
            ([], path(".config/passconduit/signing") + ": there is no certificate with a key"),
        ]
        for (arguments, message) in rows {
            let result = try sign(arguments)
            #expect(result.status == 2, "\(arguments)")
            #expect(result.errors.hasPrefix("passconduit: \(message)"), "\(result.errors)")
        }
    }

    @Test("lint, which reads passes of strangers, takes no file with a key")
    func lint() throws {
        try issuer.home.write(
            try Data(contentsOf: URL(filePath: issuer.certificate.path))
                + Data(contentsOf: URL(filePath: issuer.certificate.keyPath)), to: "both.pem")
        let refused = try program.run(["lint", "Ticket.pass", "--certificate", "both.pem"])
        #expect(refused.status == 2)
        #expect(refused.errors.hasPrefix("passconduit: both.pem: it contains a private key: "))
        let taken = try program.run(
            ["lint", "Ticket.pass", "--certificate", issuer.certificate.path])
        #expect(taken.status == 0, "\(taken.output)")
        #expect(try sign(["--certificate", "both.pem"]).status == 0)
    }

    @Test(
        "a key in ssh-agent signs", arguments: [[], ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"]])
    func agent(kind: [String]) throws {
        var recipe = CertificateRecipe.signer(of: IssuerHome.passType, team: IssuerHome.team)
        if !kind.isEmpty { recipe.key = kind }
        let certificate = try recipe.make()
        // Tests run with SIGTERM blocked.
        let result = try program.shell(
            """
            export SSH_AUTH_SOCK="$HOME/agent"
            ssh-agent -D -a "$SSH_AUTH_SOCK" > agent.log 2>&1 &
            agent=$!
            for round in 1 2 3 4 5 6 7 8 9 10; do [ -S "$SSH_AUTH_SOCK" ] || sleep 0.2; done
            openssl pkey -in \(certificate.keyPath) -out key.pem && chmod 600 key.pem &&
            ssh-add -q key.pem &&
            $PROGRAM sign Ticket.pass --certificate \(certificate.path) --key agent \
                --trust-root \(issuer.root) && ssh-add -q -D
            $PROGRAM sign Ticket.pass --force --certificate \(certificate.path) --key agent \
                --trust-root \(issuer.root)
            code=$?
            kill -KILL $agent
            wait $agent
            exit $code
            """)
        #expect(result.status == 2)
        #expect(result.errors.contains("add it with ssh-add\n"))
        #expect(try issuer.isTrusted("Ticket.pkpass"))
    }

    @Test(
        "a key in a token signs", arguments: [[], ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"]])
    func token(kind: [String]) throws {
        var recipe = CertificateRecipe.signer(of: IssuerHome.passType, team: IssuerHome.team)
        if !kind.isEmpty { recipe.key = kind }
        let certificate = try recipe.make()
        try issuer.home.write(Data(), to: "tokens/.keep")
        try issuer.home.write(
            Data("directories.tokendir = \(path("tokens"))\n".utf8), to: "softhsm2.conf")
        try issuer.home.write(Data("1234\n".utf8), to: "pin")
        try issuer.home.write(Data("9999\n".utf8), to: "wrong-pin")
        var program = program
        program.environment["SOFTHSM2_CONF"] = path("softhsm2.conf")
        let made = try program.shell(
            """
            set -e
            softhsm2-util --init-token --free --label Issuer --pin 1234 --so-pin 5678
            openssl pkcs8 -topk8 -nocrypt -in \(certificate.keyPath) -out key.pem
            softhsm2-util --import key.pem --token Issuer --label pass --id a1 --pin 1234
            """)
        #expect(made.status == 0, "\(made.errors)")
        let key = ["--certificate", certificate.path, "--key", "pkcs11:token=Issuer;object=pass"]
        let signed = try sign(key + ["--password-file", "pin"], in: program)
        #expect(signed.errors == "")
        #expect(signed.status == 0)
        #expect(try issuer.isTrusted("Ticket.pkpass"))

        let other = try CertificateRecipe.signer(of: "pass.com.example.other", team: "X").make()
        let rows = [
            (key + ["--password-file", "wrong-pin"], "the password is wrong"),
            (
                Array(key.dropLast()) + [
                    "pkcs11:token=Issuer;object=other", "--password-file", "pin",
                ],
                "the token has no private key"
            ),
            (
                ["--certificate", other.path] + key.suffix(2)
                    + ["--password-file", "pin"], "the key does not belong to the certificate"
            ),
        ]
        for (arguments, message) in rows {
            let result = try sign(arguments, in: program)
            #expect(result.status == 2, "\(result.errors)")
            #expect(result.errors.contains(": \(message)"), "\(result.errors)")
        }
    }
}
