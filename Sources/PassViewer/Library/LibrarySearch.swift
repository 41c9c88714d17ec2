internal import PassCommands
internal import PassStore

/// The passes that say what somebody types.
@MainActor
final class LibrarySearch {
    /// Nil without words to search for.
    private(set) var found: [StoredPass.ID]?
    private var count = 0

    /// More than that nobody looks through.
    nonisolated private static let limit = 500

    /// Has the answer of an earlier search forgotten.
    func search(
        _ text: String, in session: WindowSession,
        then: @escaping @MainActor @Sendable () -> Void
    ) {
        count += 1
        let number = count
        guard !text.allSatisfy(\.isWhitespace) else {
            found = nil
            return then()
        }
        inBackground {
            let library = try? session.library(for: .reading)
            return (try? library?.search(text, limit: LibrarySearch.limit).map(\.id)) ?? []
        } then: { [weak self] ids in
            guard let self, number == count else { return }
            found = ids
            then()
        }
    }
}
