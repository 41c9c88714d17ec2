internal import Bytes
internal import Localization
internal import MailSource
internal import PassDetection
package import PassImport
internal import PassPresentation
internal import PassStore
internal import PassVerification

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
    static let limit = 100

    /// Something to read, and what to call it.
    struct NamedInput {
        let input: Input
        let name: String
    }

    let options: ImportOptions

    /// Where large passes wait.
    var spool: SpoolPolicy { options.spool }

    init(_ verifier: PassVerifier, in shell: Shell) {
        var options = ImportOptions(verifier, in: shell)
        options.keepsPasses = true
        // For what a person says in the end.
        options.policy = AdmissionPolicy(accepting: [.untrusted, .unsigned])
        self.options = options
    }

    /// A file that could not even be named.
    mutating func refuse(_ failure: Failure) {
        problems.append(failure.description.escaped)
        code = code.joined(with: failure.exitCode)
    }

    /// Something that another process could not get hold of.
    mutating func refuse(escapedClause problem: String) {
        problems.append(problem)
        code = code.joined(with: .unreadable)
    }

    mutating func read(_ source: NamedInput) async throws {
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

extension OpenedPasses {
    /// Fetches, and reads what comes.
    mutating func read(_ urls: [WebURL], _ fetched: FetchedSources) async throws {
        var opened = self
        let consumer = FetchedSources.Consumer(
            options: options,
            read: { file, _ in
                let before = opened.passes.count
                try await opened.read(NamedInput(input: .download(file), name: file.source))
                return FetchedContents(
                    passes: ["opened": opened.passes.count - before], isUnknown: true)
            },
            report: { problem in
                opened.refuse(.unreadable(problem.source, reason: problem.detail))
            })
        try await fetched.read(urls.map { DownloadRequest(url: $0.text) }, consumer)
        self = opened
    }
}

private struct TooManyPasses: Error {}
