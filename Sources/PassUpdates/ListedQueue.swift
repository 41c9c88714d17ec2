import PassStore

/// The passes that a list names, in pages.
struct ListedQueue {
    private static let page = 50
    /// The number of serial numbers from which a list may be incomplete.
    private static let longList = 100

    let list: PassList
    /// The tag to record when all passes have been requested.
    let tag: String?
    /// Whether the list is so long that the server may have sent only a part of it.
    let isLong: Bool
    private var serialNumbers: ArraySlice<String>
    private var updates: ArraySlice<PassUpdate> = []
    private var inProgress = 0
    /// The number of serial numbers without a registration.
    private(set) var unknown = 0

    /// - Parameter mayHaveMore: False if the list names only passes that earlier lists named.
    init(
        _ passes: ListedPasses, _ serialNumbers: [String], of list: PassList, mayHaveMore: Bool
    ) {
        self.list = list
        tag = passes.tag
        isLong = mayHaveMore && passes.serialNumbers.count >= ListedQueue.longList
        self.serialNumbers = serialNumbers[...]
    }

    var isDone: Bool { serialNumbers.isEmpty && updates.isEmpty && inProgress == 0 }

    mutating func next(in library: PassLibrary) throws -> PassUpdate? {
        while updates.isEmpty {
            let page = Array(serialNumbers.prefix(ListedQueue.page))
            guard !page.isEmpty else { return nil }
            serialNumbers.removeFirst(page.count)
            let found = try library.updates(
                at: list.service, ofType: list.key.passTypeIdentifier, serialNumbers: page)
            if found.count < page.count {
                unknown += try library.unknownRegistrations(
                    at: list.service, ofType: list.key.passTypeIdentifier, serialNumbers: page)
            }
            updates = found[...]
        }
        inProgress += 1
        return updates.popFirst()
    }

    mutating func finishOne() { inProgress -= 1 }
}
