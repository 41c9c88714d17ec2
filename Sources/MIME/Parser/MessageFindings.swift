/// The parts and problems found in a message and not taken yet.
struct MessageFindings {
    /// The number of parts of the message so far, multiparts excluded.
    var partCount = 0
    private var parts: [CollectedPart] = []
    private var problems: [MIMEProblem] = []
    /// The codes of the problems of the message; each is reported once.
    private var reported: Set<String> = []

    var isEmpty: Bool { parts.isEmpty && problems.isEmpty }

    /// Begins the next message; untaken findings of the previous one are kept.
    mutating func beginMessage() {
        partCount = 0
        reported.removeAll(keepingCapacity: true)
    }

    mutating func add(_ part: CollectedPart) {
        parts.append(part)
    }

    mutating func report(_ kind: MIMEProblem.Kind, _ number: String) {
        if reported.insert(kind.code).inserted {
            problems.append(MIMEProblem(kind, part: number))
        }
    }

    mutating func takeParts() -> [CollectedPart] {
        defer { parts.removeAll(keepingCapacity: true) }
        return parts
    }

    mutating func takeProblems() -> [MIMEProblem] {
        defer { problems.removeAll(keepingCapacity: true) }
        return problems
    }
}
