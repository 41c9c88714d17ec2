/// The irregularities so far, in order, without duplicates.
struct Oddities {
    private(set) var all: [Oddity] = []
    private var known: Set<Oddity> = []
    private var codes: Set<String> = []
    private let limit: Int
    /// The number of calls, including duplicates.
    private var calls = 0
    /// Further calls are ignored, since each one searches a set.
    private static let mostCalls = 10_000

    init(limit: Int) {
        self.limit = limit
    }

    /// Ignored beyond the limit.
    mutating func note(_ oddity: @autoclosure () -> Oddity) {
        guard all.count < limit, calls < Oddities.mostCalls else { return }
        calls += 1
        noteAlways(oddity())
    }

    /// Notes an oddity of the whole pass, which no number of others may hide.
    mutating func noteAlways(_ oddity: Oddity) {
        guard known.insert(oddity).inserted else { return }
        codes.insert(oddity.code)
        all.append(oddity)
    }

    /// Whether an oddity with this code would be new and stored.
    func lacks(code: String) -> Bool {
        all.count < limit && !codes.contains(code)
    }
}
