/// Something odd in a pass that is tolerated.
public struct Oddity: Sendable, Hashable, Codable {
    /// A stable name such as `json-trailing-comma`.
    public let code: String
    /// A sentence for a person.
    public let detail: String
}

/// What was odd so far, in the order in which it was met, each thing once.
struct Oddities {
    private(set) var all: [Oddity] = []
    private var known: Set<Oddity> = []
    private var codes: Set<String> = []
    private let limit: Int
    /// How often something was noted, be it known or not.
    private var calls = 0
    /// After so many notes none is looked at: each costs a sentence.
    private static let mostCalls = 10_000

    init(limit: Int) {
        self.limit = limit
    }

    /// Beyond the limit nothing is kept: a pass as odd as that is described well enough.
    mutating func note(_ code: String, _ detail: @autoclosure () -> String) {
        guard all.count < limit, calls < Oddities.mostCalls else { return }
        calls += 1
        let oddity = Oddity(code: code, detail: detail())
        guard known.insert(oddity).inserted else { return }
        codes.insert(code)
        all.append(oddity)
    }

    /// Whether a note with this code would be the first, and kept.
    func lacks(code: String) -> Bool {
        all.count < limit && !codes.contains(code)
    }
}
