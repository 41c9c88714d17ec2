internal import PassImport
internal import PassPresentation
internal import PassSession

/// Reads and verifies files while the window opens.
@MainActor
final class OpenedFiles {
    private var opened: Opened?
    private var whenDone: (@MainActor @Sendable (Opened) -> Void)?

    /// The result of reading them.
    struct Opened: Sendable {
        let proposals: [Proposal]
        /// Escaped clauses.
        let problems: [String]
        let code: ExitCode
    }

    init(_ files: [String], in session: WindowSession) {
        Task.detached { [weak self] in
            let opened = await OpenedFiles.read(files, in: session)
            onMain { self?.finish(opened) }
        }
    }

    private func finish(_ opened: Opened) {
        self.opened = opened
        whenDone?(opened)
        whenDone = nil
    }

    func onceDone(_ body: @escaping @MainActor @Sendable (Opened) -> Void) {
        if let opened { return body(opened) }
        whenDone = body
    }

    @concurrent
    private static func read(_ files: [String], in session: WindowSession) async -> Opened {
        do {
            let opened = try await session.open(files)
            let proposals = opened.passes.map { Proposal($0, in: session) }
            return Opened(
                proposals: proposals, problems: opened.problems, code: opened.code)
        } catch {
            return Opened(
                proposals: [], problems: [error.phrase.localized.escaped], code: .unreadable)
        }
    }
}
