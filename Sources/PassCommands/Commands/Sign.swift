internal import ArgumentParser
internal import Foundation
internal import Localization
internal import MailSource
internal import PassModel
internal import PassPresentation
internal import PassSession
internal import PassSigning
internal import PassVerification
internal import Platform

/// `passconduit sign`: makes passes of folders.
struct Sign: Verb {
    static let configuration = CommandConfiguration(
        commandName: "sign",
        abstract: "Make signed passes of folders with pass.json and images.",
        discussion: """
            For issuers. A folder holds pass.json, the images and the translations of a pass; its \
            name may end in .pass, .raw or .pkpasstemplate. `sign` checks it as `passconduit lint` \
            does, adds manifest and signature, verifies the result as `passconduit verify --wallet` \
            does, and only then writes it.

            The certificate is that of a Pass Type ID of Apple. Without --p12 and --certificate it \
            is the one for the pass type that `passconduit certificate import` stored. Passwords \
            are asked for on the terminal, or read from --password-file or --password-fd.

            With an output that ends in .pkpasses, the passes become one bundle: at most 10 \
            passes and 150 MB, which Wallet adds together.

            With --data, the folder is a template, and each row of the file becomes a pass. \
            Between quotes in pass.json and *.strings, {{seat}} is replaced by the column 'seat'. \
            A whole value \
            may be a number or a boolean, "{{balance:number}}" or "{{voided:boolean}}". \
            {{gate?}} may be missing or empty; its field is then left out. A column named like an \
            image (thumbnail.png, strip@2x.png) holds the path of a PNG file, relative to the file \
            of data. Rows are CSV with a header, or JSON objects, one per line. The run continues \
            past rows that cannot become a pass, and reports them. Each kind of warning is reported \
            once, for the first row that has it.

            The exit code is 0 if every pass was written, 2 if a file or row cannot be used, and 3 \
            if a pass has an error or would not be trusted.

            EXAMPLES
              passconduit sign Ticket.pass
              passconduit sign Ticket.pass --p12 pass.p12 -o ticket.pkpass
              passconduit sign Out.pass Back.pass -o trip.pkpasses
              passconduit sign Ticket.pass --data guests.csv -o tickets/
              passconduit sign Ticket.pass --certificate pass.cer --key agent
            """)

    @Argument(help: ArgumentHelp("Folders of passes.", valueName: "folder"), completion: .directory)
    var folders: [String]

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Write to this file, bundle (.pkpasses) or folder (default: the folder's name with "
                + ".pkpass, here; - is standard output).",
            valueName: "path"),
        completion: .file())
    var output: String?

    @Option(
        help: ArgumentHelp(
            "Make a pass for each row of this file (.csv, .jsonl; - is standard input).",
            valueName: "file"),
        completion: .file(extensions: ["csv", "jsonl", "ndjson"]))
    var data: String?

    @Option(
        help: ArgumentHelp(
            "With --data: the names of the files (default: {{serialNumber}}.pkpass).",
            valueName: "pattern"))
    var name: String?

    @OptionGroup var identity: IdentityArguments
    @OptionGroup var trust: TrustArguments

    @Flag(help: "Overwrite existing files.")
    var force = false

    @OptionGroup var format: OutputArguments

    func validate() throws {
        if folders.contains("") || output == "" || data == "" {
            throw ValidationError("the path is empty")
        }
        if data != nil {
            guard folders.count == 1 else {
                throw ValidationError("--data needs one folder, the template")
            }
            guard let output, output != "-", !isBundle(output), !isPass(output) else {
                throw ValidationError("--data needs the folder of the passes: -o FOLDER")
            }
        } else {
            guard name == nil else { throw ValidationError("--name needs --data") }
        }
        let isSingle = output.map { !isBundle($0) && !isFolder($0) } ?? false
        guard folders.count == 1 || !isSingle else {
            throw ValidationError(
                "several passes need a bundle (-o NAME.pkpasses) or a folder (-o FOLDER/)")
        }
    }

    func run(in shell: Shell) async throws -> ExitCode {
        // Memory holds a key: neither a core dump nor another process may see it.
        CurrentProcess.forbidDumps()
        let verifier = try trust.verifier(in: shell.session)
        var signers = Signers(identity, verifier, shell)
        try signers.openNamed()
        if let data {
            let run = TemplateRun(
                folder: folders[0], data: data, pattern: name, output: output ?? ".",
                isOverwriting: force, isJSON: format.json, shell)
            return try run.sign(with: &signers)
        }
        var serialNumbers = SerialNumbers()
        var code = ExitCode.done
        var lines = IssuedLines(shell.console)
        var passes: [(name: String, pass: SignedPass)] = []
        for folder in folders {
            do throws(Failure) {
                guard let pass = try signed(folder, &signers, &serialNumbers, shell) else {
                    code = code.joined(with: .notTrusted)
                    continue
                }
                passes.append((passName(of: folder), pass))
            } catch {
                shell.console.problem(error.phrase.localized.escaped)
                code = code.joined(with: error.exitCode)
            }
        }
        passes = distinctlyNamed(passes)
        // A bundle is complete or not written.
        if let output, isBundle(output) {
            guard passes.count == folders.count else { return code }
            try write(passes, asBundle: output, &lines, shell)
            try lines.finish()
            return code
        }
        for (name, pass) in passes {
            do throws(Failure) {
                try write(pass, named: name, &lines, shell)
            } catch {
                shell.console.problem(error.phrase.localized.escaped)
                code = code.joined(with: error.exitCode)
            }
        }
        try lines.finish()
        return code
    }

    /// The signed pass; nil if it has errors, which are reported.
    private func signed(
        _ folder: String, _ signers: inout Signers, _ serialNumbers: inout SerialNumbers,
        _ shell: Shell
    ) throws(Failure) -> SignedPass? {
        let contents = try passFolder(folder, in: shell)
        guard contents.pass != nil else {
            throw .unreadable(folder, reason: SigningError.noPass.phrase)
        }
        if let template = try? PassTemplate(contents), !template.varying.isEmpty {
            throw .unreadable(
                folder, reason: Phrase("this is a template: --data names the file with its rows"))
        }
        // Without a pass type there is no certificate. The linter says why.
        let passType = (try? Pass(contents))?.passTypeIdentifier
        var signer: PassSigner?
        if let passType { signer = try signers.signer(for: passType) }
        let lint = PassLint(contents, certificates: signer?.identity.certificates)
        let repeated = lint.identity.flatMap { serialNumbers.add($0) }
        let findings = lint.findings + [repeated].compactMap(\.self)
        for finding in findings {
            let result = LintResult(
                path: folder, member: nil, isFolder: true, finding: finding, isFixed: false)
            shell.console.problem(result.line.escaped)
        }
        guard let signer, !findings.contains(where: { $0.severity == .error }) else { return nil }
        do throws(SigningError) {
            return try signer.sign(contents)
        } catch {
            shell.console.problem("\(folder): \(error.phrase.localized)".escaped)
            return nil
        }
    }

    private func write(
        _ passes: [(name: String, pass: SignedPass)], asBundle output: String,
        _ lines: inout IssuedLines, _ shell: Shell
    ) throws {
        let bundle: [UInt8]
        do throws(PassBundleError) {
            bundle = try PassBundle.archive(
                of: Dictionary(passes.map { ($0.name, $0.pass) }) { $1 })
        } catch {
            throw Failure.unwritable(output, reason: error.phrase)
        }
        try shell.session.write(bundle, to: output, overwriting: force)
        for (_, pass) in passes { lines.print(try line(for: pass, at: output, shell)) }
    }

    private func write(
        _ pass: SignedPass, named name: String, _ lines: inout IssuedLines, _ shell: Shell
    ) throws(Failure) {
        if output == "-" {
            guard !shell.console.output.isTerminal else {
                throw .usage(Phrase("a pass is not text: name a file, or pipe the output of -o -"))
            }
            do throws(OutputError) {
                try shell.console.print(octets: pass.bytes)
            } catch {
                guard case .failed(let error) = error else { return }
                throw .unwritable(localized("standard output"), reason: error.phrase)
            }
            return
        }
        var path = "\(name).pkpass"
        if let output, isFolder(output) {
            let folder = output.hasSuffix("/") ? String(output.dropLast()) : output
            path = "\(folder)/\(path)"
            do throws(FileError) {
                try DurableFile.makeFolder(shell.session.path(output).bytes, mode: 0o777)
            } catch {
                throw .unwritable(output, reason: error.phrase)
            }
        } else if let output {
            path = output
        }
        guard !folders.contains(where: { isIn($0, path) }) else {
            throw .unwritable(
                path,
                reason: Phrase("it would be in the folder of a pass: name another place with -o"))
        }
        try shell.session.write(pass.bytes, to: path, overwriting: force)
        if let line = try? line(for: pass, at: path, shell) { lines.print(line) }
    }

    private func line(for pass: SignedPass, at path: String, _ shell: Shell) throws -> String {
        try format.json
            ? jsonLine(SignedPassRecord(pass.verification, file: path), on: shell.console.output)
            : signedLine(pass.verification, at: path)
    }
}

/// Whether a file would be in this folder.
private func isIn(_ folder: String, _ file: String) -> Bool {
    let folder = URL(fileURLWithPath: folder, isDirectory: true).resolvingSymlinksInPath().path
    let place = URL(fileURLWithPath: file).deletingLastPathComponent().resolvingSymlinksInPath()
        .path
    return place == folder || place.hasPrefix(folder + "/")
}

/// A line such as `ticket.pkpass  pass.com.example.ticket  42`.
func signedLine(_ pass: Verification, at path: String) -> String {
    [path, pass.pass?.passTypeIdentifier, pass.pass?.serialNumber]
        .compactMap(\.self).joined(separator: "  ").escaped
}

/// Reads the folder of a pass.
func passFolder(_ folder: String, in shell: Shell) throws(Failure) -> PassFolder {
    do throws(PassFolderError) {
        return try PassFolder(
            contentsOf: URL(fileURLWithPath: folder, isDirectory: true))
    } catch {
        throw .unreadable(folder, reason: error.phrase)
    }
}

/// The name of a folder without the endings that mark the folders of passes.
private func passName(of folder: String) -> String {
    let url = URL(fileURLWithPath: folder, isDirectory: true).standardizedFileURL
    let endings = ["pass", "raw", "pkpasstemplate"]
    return endings.contains(url.pathExtension.lowercased())
        ? url.deletingPathExtension().lastPathComponent : url.lastPathComponent
}

/// Passes of folders with the same name in different places get a number.
private func distinctlyNamed(
    _ passes: [(name: String, pass: SignedPass)]
) -> [(name: String, pass: SignedPass)] {
    var names: Set<String> = []
    return passes.map { name, pass in
        var (distinct, number) = (name, 2)
        while !names.insert(distinct).inserted {
            distinct = "\(name)-\(number)"
            number += 1
        }
        return (distinct, pass)
    }
}

private func isBundle(_ path: String) -> Bool { path.lowercased().hasSuffix(".pkpasses") }

private func isPass(_ path: String) -> Bool { path.lowercased().hasSuffix(".pkpass") }

private func isFolder(_ path: String) -> Bool {
    if path.hasSuffix("/") { return true }
    var isDirectory: ObjCBool = false
    let isThere = unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
    return isThere && isDirectory.boolValue
}
