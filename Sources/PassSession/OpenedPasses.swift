package import Bytes
internal import Localization
internal import MailSource
package import PassImport
package import PassModel
internal import PassPresentation
internal import PassStore
package import PassVerification

/// The passes in opened files. Each is read and verified once, so that what is shown is what is
/// added.
package struct OpenedPasses: Sendable {
    package private(set) var passes: [FoundPass] = []
    /// Escaped clauses.
    package private(set) var problems: [String] = []
    /// The exit code for unreadable input and input without passes. Verdicts count later, depending
    /// on what is added.
    package private(set) var code = ExitCode.done

    /// Maximum number of passes; users will not answer more questions.
    package static let limit = 100

    /// A source and the name to show for it.
    package struct NamedInput {
        package let input: Input
        package let name: String

        package init(input: Input, name: String) {
            self.input = input
            self.name = name
        }
    }

    package let options: ImportOptions

    /// Where large passes are stored temporarily.
    package var spool: SpoolPolicy { options.spool }

    package init(_ verifier: PassVerifier, in session: Session) {
        var options = ImportOptions(verifier, in: session)
        options.keepsPasses = true
        // The user may decide to add these later.
        options.policy = AdmissionPolicy(accepting: [.untrusted, .unsigned])
        self.options = options
    }

    /// Reports a file that could not be opened.
    package mutating func refuse(_ failure: Failure) {
        problems.append(failure.phrase.localized.escaped)
        code = code.joined(with: failure.exitCode)
    }

    /// Reports a problem of another process.
    package mutating func refuse(escapedClause problem: String) {
        problems.append(problem)
        code = code.joined(with: .unreadable)
    }

    /// Reads a pass of the library.
    package mutating func read(
        _ pass: PassIdentity, of place: LibraryArguments, in session: Session
    ) async throws {
        let file: Path
        do throws(Failure) {
            file = try place.file(of: pass, in: session)
        } catch {
            return refuse(error)
        }
        try await read(NamedInput(input: .path(file), name: file.description))
    }

    package mutating func read(_ source: NamedInput) async throws {
        let name = source.name
        var passes = passes
        var problems: [String] = []
        do {
            let result = try await VerifyInput(source.input, named: name).verify(
                options,
                problem: { problems.append($0) },
                { found in
                    guard passes.count < OpenedPasses.limit else { throw TooManyPasses() }
                    var found = found
                    found.source = name
                    passes.append(found)
                })
            if result != .notTrusted { code = code.joined(with: result) }
        } catch is TooManyPasses {
            let reason = localized(
                "there are more than {count} passes (`import` adds them all)",
                ["count": "\(OpenedPasses.limit)"])
            problems.append("\(name.escaped): \(reason)")
            code = code.joined(with: .unreadable)
        }
        self.passes = passes
        self.problems += problems
    }
}

private struct TooManyPasses: Error {}
