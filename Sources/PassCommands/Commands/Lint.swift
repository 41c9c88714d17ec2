internal import ArgumentParser
internal import Bytes
internal import Foundation
internal import Glibc
internal import Localization
internal import MailSource
internal import PassImport
internal import PassModel
internal import PassPresentation
internal import PassSession
internal import PassSigning
internal import PassVerification
internal import Platform

/// `passconduit lint`: finds mistakes in passes before they are issued.
struct Lint: Verb {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "Find mistakes in a pass before you issue it: file, key and remedy.",
        discussion: """
            For issuers of passes. Checks the folder of a pass, a signed pass (.pkpass) or a \
            bundle (.pkpasses): required keys, types, dates, colours, barcodes and fields in \
            pass.json, misspelt keys and files, the sizes of images, translations, and for a \
            signed pass the manifest, the signature and its certificates. Each mistake is one \
            line: the pass, the file in it, the key, the problem, and what to do about it. \
            Warnings are marked; the other lines are errors, with which Wallet refuses the pass \
            or ignores a part of it.

            With --certificate, the identifiers in pass.json must be those of the certificate, \
            and the certificate must be valid now. The file may also contain the authority that \
            issued it (PEM). With --previous, fields whose values changed must have a \
            changeMessage; without one, the change arrives silently.

            --fix corrects mistakes with one right answer: it renames misspelt keys and images, \
            writes numbers, colours and dates in the right form, and removes byte order marks and \
            files such as .DS_Store. The rest of each file stays as it is. A signed pass cannot be \
            corrected: correct its folder, and sign it again.

            The exit code is 3 if there is an error, 2 if a file cannot be read, and otherwise 0, \
            also with warnings.

            EXAMPLES
              passconduit lint Event.pass
              passconduit lint --fix Event.pass
              passconduit lint --certificate pass.pem --previous old.pkpass Event.pass
              passconduit lint --sarif *.pkpass
            """)

    @Argument(
        help: ArgumentHelp("Folders of passes, or pass files.", valueName: "path"),
        completion: .passFiles)
    var paths: [String]

    @Option(
        help: ArgumentHelp(
            "Check against this certificate of the pass type (PEM or DER file).",
            valueName: "file"),
        completion: .file(extensions: ["pem", "cer", "crt", "der"]))
    var certificate: String?

    @Option(
        help: ArgumentHelp(
            "Compare with this earlier version: a pass file or folder.", valueName: "path"),
        completion: .passFiles)
    var previous: String?

    @Flag(help: "Correct mistakes with one right answer, in folders.")
    var fix = false

    @Flag(help: "Print one document in SARIF 2.1.0, for development tools.")
    var sarif = false

    @OptionGroup var trust: TrustArguments
    @OptionGroup var output: OutputArguments

    func validate() throws {
        if paths.contains("") { throw ValidationError("the path is empty") }
        if certificate == "" {
            throw ValidationError("--certificate needs the name of a file")
        }
        if previous == "" { throw ValidationError("--previous needs the name of a file") }
        if sarif, output.json { throw ValidationError("--sarif does not go with --json") }
    }

    func run(in shell: Shell) async throws -> ExitCode {
        let verifier = try trust.verifier(in: shell.session)
        let certificates = try certificates(in: shell.session)
        let words = paths.map { path in
            Result { () throws(Failure) in try LintInput(path, in: shell.session) }
        }
        let earlier = try previous.map { try LintInput($0, in: shell.session) }
        let inputs = words.compactMap { try? $0.get() }
        try shell.session.confine(
            reading: (inputs + (earlier.map { [$0] } ?? [])).map(\.input),
            changing: fix ? inputs.filter(\.isFolder).map(\.path) : [])

        var run = LintRun(
            verifier: verifier, certificates: certificates, previous: try earlier?.pass(verifier),
            fixes: fix)
        var code = ExitCode.done
        var all: [LintResult] = []
        for word in words {
            let results: [LintResult]
            do throws(Failure) {
                results = try run.results(of: word.get())
            } catch {
                shell.console.problem(error.phrase.localized.escaped)
                code = code.joined(with: error.exitCode)
                continue
            }
            if results.contains(where: \.isUncorrected) { code = code.joined(with: .notTrusted) }
            if sarif {
                all += results
            } else {
                for result in results { try print(result, in: shell) }
            }
            if fix, let input = try? word.get(), !input.isFolder {
                let reason = localized("a signed pass cannot be corrected: correct its folder")
                shell.console.problem("\(input.shown.escaped): \(reason)")
                code = code.joined(with: .unreadable)
            }
        }
        if sarif { try shell.console.print(jsonLine(SARIFLog(all), on: shell.console.output)) }
        return code
    }

    private func print(_ result: LintResult, in shell: Shell) throws {
        try shell.console.print(
            output.json
                ? jsonLine(LintRecord(result), on: shell.console.output) : result.line.escaped)
    }

    private func certificates(in session: Session) throws(Failure) -> SigningCertificates? {
        guard let certificate else { return nil }
        let file = try session.contents(of: certificate)
        // This process reads passes of strangers.
        guard !file.contains("PRIVATE KEY-----".utf8) else {
            throw .unreadable(
                certificate,
                reason: Phrase("it contains a private key: name a file with certificates only"))
        }
        do throws(TrustAnchorError) {
            return try SigningCertificates(file)
        } catch {
            throw .unreadable(certificate, reason: error.phrase)
        }
    }
}

/// A folder or pass file to lint.
private struct LintInput {
    let path: Path
    let shown: String
    let isFolder: Bool

    init(_ argument: String, in session: Session) throws(Failure) {
        let word = try SourceWord(argument, in: session)
        guard case .path(let path) = word else {
            throw .unreadable(word.shown, reason: Phrase("only files and folders can be linted"))
        }
        self.path = path
        shown = word.shown
        let mode = path.status(followsLinks: true)?.st_mode ?? 0
        isFolder = mode & S_IFMT == S_IFDIR
    }

    var input: Input { .path(path) }

    func folder() throws(Failure) -> PassFolder {
        do throws(PassFolderError) {
            return try PassFolder(contentsOf: url)
        } catch {
            throw .unreadable(shown, reason: error.phrase)
        }
    }

    var url: URL { URL(fileURLWithPath: path.description, isDirectory: true) }

    /// The bytes of a file, and one more than the largest bundle at most.
    func bytes() throws(Failure) -> [UInt8] {
        do throws(FileError) {
            let file = try open(path, O_RDONLY)
            defer { file.close() }
            return try ByteSource(stream: file, prefix: []).prefix(LintInput.limit + 1)
        } catch {
            throw .unreadable(shown, reason: error.phrase)
        }
    }

    /// The contents of a pass.
    func pass(_ verifier: PassVerifier) throws(Failure) -> Pass {
        let folder = isFolder ? try folder() : PackedPass(try bytes(), verifier: verifier).folder
        do throws(PassError) {
            return try Pass(folder)
        } catch {
            throw .unreadable(shown, reason: error.phrase)
        }
    }

    static let limit = 256 << 20
}

/// What was found, and where.
struct LintResult {
    /// The path as given.
    let path: String
    /// The name of the pass in a bundle.
    let member: String?
    let isFolder: Bool
    let finding: LintFinding
    let isFixed: Bool

    /// The path and the name in a bundle.
    var pass: String { member.map { "\(path)!\($0)" } ?? path }

    var isUncorrected: Bool { finding.severity == .error && !isFixed }

    /// The line for people, unescaped.
    var line: String {
        let problem = finding.fault.phrase.localized
        var parts = [pass]
        // The sentences about translations name the file.
        if !finding.file.isEmpty, !problem.hasPrefix("\(finding.file): ") {
            parts.append(finding.file)
        }
        if let key = finding.keyPath { parts.append(key) }
        if isFixed {
            parts.append(localized("corrected"))
        } else if finding.severity == .warning {
            parts.append(localized("warning"))
        }
        parts.append("\(problem); \(finding.fault.remedy.localized)")
        return parts.joined(separator: ": ")
    }
}

/// The state of a run over several passes.
private struct LintRun {
    let verifier: PassVerifier
    let certificates: SigningCertificates?
    let previous: Pass?
    let fixes: Bool
    private var serialNumbers = SerialNumbers()

    /// A correction may reveal another mistake.
    private static let rounds = 10

    init(
        verifier: PassVerifier, certificates: SigningCertificates?, previous: Pass?, fixes: Bool
    ) {
        self.verifier = verifier
        self.certificates = certificates
        self.previous = previous
        self.fixes = fixes
    }

    mutating func results(of input: LintInput) throws(Failure) -> [LintResult] {
        input.isFolder ? try folderResults(input) : fileResults(input.shown, try input.bytes())
    }

    private mutating func folderResults(_ input: LintInput) throws(Failure) -> [LintResult] {
        var results: [LintResult] = []
        var folder = try input.folder()
        var lint = PassLint(folder, certificates: certificates, previous: previous)
        for _ in 0..<(fixes ? LintRun.rounds : 0) {
            let fixable = lint.findings.filter { $0.fix != nil }
            guard !fixable.isEmpty else { break }
            do throws(PassFolderError) {
                try folder.apply(fixable.compactMap(\.fix), to: input.url)
            } catch {
                throw .unwritable(input.shown, reason: error.phrase)
            }
            folder = try input.folder()
            lint = PassLint(folder, certificates: certificates, previous: previous)
            let left = Set(lint.findings)
            results += fixable.filter { !left.contains($0) }.map {
                LintResult(
                    path: input.shown, member: nil, isFolder: true, finding: $0, isFixed: true)
            }
        }
        return results
            + findings(lint, isIssuedNow: true).map {
                LintResult(
                    path: input.shown, member: nil, isFolder: true, finding: $0, isFixed: false)
            }
    }

    private mutating func fileResults(_ name: String, _ bytes: [UInt8]) -> [LintResult] {
        if let bundle = PassBundle(bytes) {
            let own = bundle.findings.map {
                LintResult(
                    path: name, member: nil, isFolder: false, finding: $0, isFixed: false)
            }
            return own
                + bundle.passes.flatMap { pass in
                    packedResults(name, pass.name, pass.bytes)
                }
        }
        return packedResults(name, nil, bytes)
    }

    private mutating func packedResults(
        _ name: String, _ member: String?, _ bytes: [UInt8]
    ) -> [LintResult] {
        let packed = PackedPass(bytes, verifier: verifier)
        let lint = PassLint(packed, certificates: certificates, previous: previous)
        return findings(lint, isIssuedNow: member != nil).map {
            LintResult(
                path: name, member: member, isFolder: false, finding: $0, isFixed: false)
        }
    }

    /// - Parameter isIssuedNow: Whether to report a serial number that another pass of this run has.
    ///   False for signed passes, which may be versions of one pass.
    private mutating func findings(_ lint: PassLint, isIssuedNow: Bool) -> [LintFinding] {
        let repeated = isIssuedNow ? lint.identity.flatMap { serialNumbers.add($0) } : nil
        return lint.findings + (repeated.map { [$0] } ?? [])
    }
}
