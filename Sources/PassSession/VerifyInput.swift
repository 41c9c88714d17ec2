internal import Glibc
internal import Localization
internal import MailSource
package import PassImport
internal import PassPresentation
package import PassVerification
internal import Platform

/// A file to verify: a pass, or a file that contains passes.
package struct VerifyInput {
    private let name: String
    package let input: Input
    /// Whether it is a folder, and not that of an unpacked pass.
    package let isDirectory: Bool

    package init(_ argument: String, in session: Session) throws(Failure) {
        let word = try SourceWord(argument, in: session)
        guard let input = word.input else {
            throw .unreadable(
                word.shown, reason: Phrase("only files can be verified (`open` fetches URLs)"))
        }
        self.init(input, named: word.shown)
    }

    package init(_ input: Input, named name: String) {
        self.name = name
        self.input = input
        guard case .path(let path) = input else {
            isDirectory = false
            return
        }
        var status = stat()
        let answer = unsafe path.withCString { unsafe stat($0, &status) }
        var code: CInt = 0
        isDirectory =
            answer == 0 && status.st_mode & S_IFMT == S_IFDIR
            && !DirectoryNames(of: path, code: &code).areUnpackedPass(in: path)
    }

    /// Verifies each pass in the file. A file that is neither mail nor an archive of passes is
    /// treated as a pass.
    package func verify(
        with verifier: PassVerifier, holding held: HeldFiles = HeldFiles(), in session: Session,
        _ explain: (FoundPass) throws -> Void
    ) async throws -> ExitCode {
        var options = ImportOptions()
        options.verifier = verifier
        options.held = held
        return try await verify(options, problem: session.report, explain)
    }

    /// Like the above, with other options; `problem` is called with escaped clauses.
    package func verify(
        _ options: ImportOptions, problem: (String) -> Void, _ explain: (FoundPass) throws -> Void
    ) async throws -> ExitCode {
        if isDirectory {
            // Reading a whole tree is rarely wanted here.
            let reason = localized("is a directory (`scan` reads those)")
            problem("\(name.escaped): \(reason)")
            return .unreadable
        }
        var options = options
        options.takesFilesForPasses = true
        var code = ExitCode.done
        var isAnswered = false
        _ = try await PassImport.run([input], options) { event in
            isAnswered = true
            switch event {
            case .pass(let found):
                let isTrusted = found.verification.verdict == .trusted
                code = code.joined(with: isTrusted ? .done : .notTrusted)
                try explain(found)
            case .link:
                // The options do not ask for links.
                break
            case .problem(let found):
                if !found.isIncidental { code = code.joined(with: .unreadable) }
                problem(problemClause(ReportedProblem(found)))
            }
        }
        guard isAnswered else {
            problem("\(name): \(absence.localized)".escaped)
            return .nothingFound
        }
        return code
    }

    /// Why there is no verdict: what the file is that has no pass in it.
    private var absence: Phrase {
        guard case .path(let path) = input, path.isRegularFile,
            let file = try? open(path, O_RDONLY)
        else { return Phrase("there is no pass in it") }
        defer { file.close() }
        var head = [UInt8](repeating: 0, count: 16 << 10)
        let count = (try? file.read(into: &head)) ?? 0
        let type = FileType(Array(head.prefix(count)))
        switch type {
        case .media("message/rfc822"), .media("application/mbox"):
            return Phrase("there is no pass in this mail")
        case .media("application/zip"): return Phrase("there is no pass in this ZIP archive")
        case .media, .empty:
            return Phrase(
                "there is no pass in it; it looks like {type}", ["type": .phrase(type.phrase)])
        case .unknown: return Phrase("there is no pass in it")
        }
    }
}
