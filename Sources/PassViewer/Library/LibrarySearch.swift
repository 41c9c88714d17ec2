internal import PassPresentation
internal import PassStore

/// The passes that match the search.
@MainActor
final class LibrarySearch {
    /// Nil without search words.
    private(set) var found: Set<StoredPass.ID>?
    /// Why the search failed, as an escaped clause.
    private(set) var problem: String?
    private var count = 0

    /// Maximum number of matches; the best are kept.
    nonisolated static let limit = 1000

    var isFull: Bool { (found?.count ?? 0) >= LibrarySearch.limit }

    /// Starts a search; the result of an earlier one is discarded.
    func search(
        _ text: String, in session: WindowSession,
        then: @escaping @MainActor @Sendable () -> Void
    ) {
        count += 1
        let number = count
        guard !text.allSatisfy(\.isWhitespace) else {
            (found, problem) = (nil, nil)
            return then()
        }
        inBackground {
            Result {
                let library = try session.library(for: .reading)
                return Set(try library.search(text, limit: LibrarySearch.limit).map(\.id))
            }
        } then: { [weak self] result in
            guard let self, number == count else { return }
            switch result {
            case .success(let ids): (found, problem) = (ids, nil)
            case .failure(LibraryError.noSuchLibrary): (found, problem) = ([], nil)
            case .failure(let error): (found, problem) = ([], error.advisedPhrase.localized.escaped)
            }
            then()
        }
    }
}
