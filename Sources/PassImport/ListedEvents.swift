import PassDetection
import PassVerification

/// Lists the first malformed passes and problems of a message, and counts the others, so that a
/// message with thousands of them is neither slow nor long to read.
///
/// Most limits are reported once each, and problems caused by the system may be gone in the next run:
/// neither are counted.
struct ListedEvents {
    private let limit: Int
    private var malformed = 0
    private var problems = 0
    private var areProblemsLasting = true
    private var areProblemsIncidental = true
    /// The message of the events.
    private var message: PartLocation?

    /// - Parameter limit: The number of each that is listed for one message.
    init(limit: Int) { self.limit = limit }

    /// Whether a malformed pass at this location is only counted; if so, counts it.
    mutating func countsMalformed(at location: PartLocation) -> Bool {
        guard isFull(at: location) else { return false }
        malformed += 1
        return true
    }

    /// Whether further malformed passes at this location are only counted.
    func isFull(at location: PartLocation) -> Bool {
        location.message != nil && malformed >= limit
    }

    /// Removes the events after `start` that are only counted.
    mutating func trim(_ events: inout [Event], from start: Int) {
        guard start < events.count else { return }
        var listed: [Event] = []
        for event in events[start...] where lists(event) { listed.append(event) }
        events.replaceSubrange(start..., with: listed)
    }

    private mutating func lists(_ event: Event) -> Bool {
        switch event {
        case .pass(let found):
            guard found.verification.verdict == .malformed, found.fileError == nil else {
                return true
            }
            guard isInMessage(found.source, found.message) else { return true }
            malformed += 1
            return malformed <= limit
        case .problem(let problem):
            switch problem.kind {
            // One for each container.
            case .limit(.depth), .limit(.nesting): break
            case .limit: return true
            default: break
            }
            guard !problem.isTemporary else { return true }
            guard isInMessage(problem.source, problem.message) else { return true }
            problems += 1
            if problems <= limit { return true }
            areProblemsLasting = areProblemsLasting && problem.kind.isLasting
            areProblemsIncidental = areProblemsIncidental && problem.isIncidental
            return false
        case .link:
            return true
        }
    }

    private mutating func isInMessage(_ source: String, _ reference: MessageReference?) -> Bool {
        guard let reference else { return false }
        if message == nil { message = PartLocation(source, reference) }
        return true
    }

    /// Ends the message: reports the numbers of events that were not listed.
    mutating func end(into events: inout [Event]) {
        if let message {
            if malformed > limit {
                let kind = Problem.Kind.moreMalformed(malformed - limit)
                events.append(message.problem(kind, isIncidental: true))
            }
            if problems > limit {
                let kind = Problem.Kind.moreProblems(
                    problems - limit, areLasting: areProblemsLasting)
                events.append(message.problem(kind, isIncidental: areProblemsIncidental))
            }
        }
        self = ListedEvents(limit: limit)
    }
}
