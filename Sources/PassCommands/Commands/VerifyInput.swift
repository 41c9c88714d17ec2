internal import Bytes
internal import Foundation
internal import Glibc
internal import MailSource
internal import PassImport
internal import PassVerification

/// A file that a person wants explained: a pass, or something that holds passes.
struct VerifyInput {
    /// A pass in it.
    struct Judged {
        let verification: Verification
        let place: String
        let record: PassRecord

        func explanation(in shell: Shell) -> Explanation {
            Explanation(
                verification: verification, place: place,
                reader: Reader(shell.environment, language: nil), terminal: shell.console.output)
        }
    }

    private let name: String
    private let path: Path
    private let isStandardInput: Bool

    init(_ argument: String, in shell: Shell) throws {
        isStandardInput = argument == "-"
        name = argument
        path = shell.path(argument)
    }

    /// Explains each pass in the file. A file in which no pass can be found is explained as one that
    /// ought to be a pass.
    func verify(
        with verifier: PassVerifier, in shell: Shell, _ explain: (Judged) throws -> Void
    ) async throws -> ExitCode {
        var code = ExitCode.done
        var isAnswered = false
        if isStandardInput {
            try keepStandardInput()
        } else if isDirectory {
            // A tree would be read to its end, and nobody asks for that with this command.
            shell.console.problem("\(name.escaped): is a directory (`scan` reads those)")
            return .unreadable
        }
        var options = ImportOptions()
        options.verifier = verifier
        let input: Input = isStandardInput ? .standardInput : .path(path)
        _ = try await PassImport.run([input], options) { event in
            isAnswered = true
            switch event {
            case .pass(let found):
                let place = placeInWords(found.source, found.message, found.part)
                code = code.joined(
                    with: found.verification.verdict == .trusted ? .done : .notTrusted)
                try explain(
                    Judged(
                        verification: found.verification, place: place, record: PassRecord(found)))
            case .problem(let problem):
                code = code.joined(with: .unreadable)
                shell.console.problem(problemClause(problem))
            }
        }
        guard !isAnswered else { return code }

        // The system opens the file behind it from its beginning.
        let again = isStandardInput ? "/dev/stdin" : path.description
        let verification = try verifier.verify(contentsOf: URL(fileURLWithPath: again))
        let place = placeInWords(name, nil, "")
        let record = PassRecord(
            verification, source: name, name: isStandardInput ? "" : path.name)
        try explain(Judged(verification: verification, place: place, record: record))
        return verification.verdict == .trusted ? .done : .notTrusted
    }

    private var isDirectory: Bool {
        var status = stat()
        let answered = unsafe path.withCString { unsafe stat($0, &status) }
        return answered == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Puts a file in the place of a pipe, so that the standard input can be read twice.
    private func keepStandardInput() throws {
        do {
            let file = try FileDescriptor.temporary(in: FileManager.default.temporaryDirectory.path)
            defer { file.close() }
            while let piece = try FileHandle.standardInput.read(upToCount: 256 << 10),
                !piece.isEmpty
            {
                try file.writeAll(Array(piece).span)
            }
            _ = lseek(file.number, 0, SEEK_SET)
            _ = dup2(file.number, STDIN_FILENO)
        } catch let error as FileError {
            throw Failure.unreadable("standard input", reason: error.description)
        } catch {
            throw Failure.unreadable("standard input", reason: reason(error))
        }
    }
}
