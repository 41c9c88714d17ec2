internal import ArgumentParser
internal import PassImport
internal import PassPresentation
internal import PassSession
internal import PassVerification

/// `passconduit verify`: explains why a pass is trusted or not.
struct Verify: Verb {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Explain the verdict on pass files: every check, passed or failed.",
        discussion: """
            For issuers of passes, and for anyone who wonders about one. Prints each check with \
            its outcome and what it found, then the signer, the signing time and the verdict. Each \
            pass in a bundle (.pkpasses) or a message is verified by itself. `-` is standard \
            input.

            The verdict is about integrity and signature: unchanged since it was signed, by a \
            certificate of Apple for this pass type and team. Wallet also refuses some passes with a \
            good signature: those without an icon, a style or a required key, with a formatVersion \
            other than 1, with comments in pass.json, with two fields of the same key, inside a \
            folder of the archive, or signed with an RSA key below 2,048 bits or a certificate \
            whose key usage does not allow signatures. This is reported beside the verdict; with \
            --wallet, the exit code is then 3.

            The exit code is 0 if every pass is trusted, 3 if one is not, 2 if a file cannot be \
            read, and 1 for a message without a pass. With --wallet it is also 3 if Wallet would \
            refuse a pass.

            EXAMPLES
              passconduit verify ticket.pkpass
              passconduit verify --trust-root my-ca.pem --at 2024-05-01 ticket.pkpass
              passconduit verify --wallet --json *.pkpass
            """)

    @Argument(
        help: ArgumentHelp("Pass files, or - for the standard input.", valueName: "file"),
        completion: .passFiles)
    var files: [String]

    @Flag(help: "Exit with 3 also for a trusted pass that Wallet would refuse.")
    var wallet = false

    @OptionGroup var trust: TrustArguments
    @OptionGroup var time: TimeArguments
    @OptionGroup var output: OutputArguments

    func validate() throws {
        if files.contains("") { throw ValidationError("the path is empty") }
    }

    func run(in shell: Shell) async throws -> ExitCode {
        let verifier = try trust.verifier(at: time.at, in: shell.session)
        let words = files.map { file in
            Result { () throws(Failure) in try VerifyInput(file, in: shell.session) }
        }
        let files = words.compactMap { try? $0.get() }.filter { !$0.isDirectory }.map(\.input)
        let held = HeldFiles(files)
        try shell.session.confine(reading: files, spooling: ImportOptions().spool)
        var code = ExitCode.done
        var isFirst = true
        var isRefused = false
        for word in words {
            let input: VerifyInput
            do throws(Failure) {
                input = try word.get()
            } catch {
                shell.console.problem(error.phrase.localized.escaped)
                code = code.joined(with: error.exitCode)
                continue
            }
            code = code.joined(
                with: try await input.verify(
                    with: verifier, holding: held, in: shell.session
                ) { found in
                    isRefused = isRefused || !found.verification.walletRefusals.isEmpty
                    if output.json {
                        try shell.console.print(
                            jsonLine(PassRecord(found), on: shell.console.output))
                    } else {
                        if !isFirst { try shell.console.print("") }
                        for line in Explanation(found, in: shell).lines {
                            try shell.console.print(line)
                        }
                    }
                    isFirst = false
                })
        }
        return code.joined(with: wallet && isRefused ? .notTrusted : .done)
    }
}
