package import Bytes
internal import Localization
internal import MailSource
internal import PassDetection
package import PassImport
internal import PassPresentation
internal import PassStore
package import PassVerification

/// The passes in what somebody wants opened, each read and judged once: what is shown of them is
/// what enters the library.
package struct OpenedPasses: Sendable {
    package private(set) var passes: [FoundPass] = []
    /// Escaped clauses.
    package private(set) var problems: [String] = []
    /// For what could not be read, or held no pass; verdicts count where it is known what became of
    /// each pass.
    package private(set) var code = ExitCode.done

    /// Nobody answers more questions than that.
    package static let limit = 100

    /// Something to read, and what to call it.
    package struct NamedInput {
        package let input: Input
        package let name: String

        package init(input: Input, name: String) {
            self.input = input
            self.name = name
        }
    }

    package let options: ImportOptions

    /// Where large passes wait.
    package var spool: SpoolPolicy { options.spool }

    package init(_ verifier: PassVerifier, in session: Session) {
        var options = ImportOptions(verifier, in: session)
        options.keepsPasses = true
        // For what a person says in the end.
        options.policy = AdmissionPolicy(accepting: [.untrusted, .unsigned])
        self.options = options
    }

    /// A file that could not even be named.
    package mutating func refuse(_ failure: Failure) {
        problems.append(failure.description.escaped)
        code = code.joined(with: failure.exitCode)
    }

    /// Something that another process could not get hold of.
    package mutating func refuse(escapedClause problem: String) {
        problems.append(problem)
        code = code.joined(with: .unreadable)
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
                "there are more than {count} passes (`import` takes them all)",
                ["count": "\(OpenedPasses.limit)"])
            problems.append("\(name.escaped): \(reason)")
            code = code.joined(with: .unreadable)
        }
        self.passes = passes
        self.problems += problems
    }
}

private struct TooManyPasses: Error {}
