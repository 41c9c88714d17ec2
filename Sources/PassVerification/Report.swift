/// The results so far. The first verdict with findings is the final one.
struct Report {
    private(set) var notes: [Finding] = []
    private var against: [Verdict: [Finding]] = [:]
    private var answers: [Check.Name: Check.Answer] = [:]

    var verdict: Verdict {
        Verdict.allCases.first { !against[$0, default: []].isEmpty } ?? .trusted
    }

    var reasons: [Finding] { against[verdict, default: []] }

    var checks: [Check] {
        Check.Name.allCases.map { Check($0, answers[$0] ?? .skipped(.earlierFailure)) }
    }

    mutating func note(_ findings: [Finding]) {
        for finding in findings where !notes.contains(finding) { notes.append(finding) }
    }

    mutating func pass(_ question: Check.Name, _ fact: Check.Fact) {
        answers[question] = .passed(fact)
    }

    /// Records a failed check; a nil verdict means that it does not affect the verdict.
    mutating func fail(_ question: Check.Name, _ verdict: Verdict?, _ findings: [Finding]) {
        if let verdict { against[verdict, default: []] += findings }
        answers[question] = .failed(findings)
    }

    mutating func skip(_ question: Check.Name, _ obstacle: Check.Obstacle) {
        answers[question] = .skipped(obstacle)
    }

    /// Records a check: passed if there are no findings, otherwise failed with this verdict.
    mutating func answer(
        _ question: Check.Name, _ verdict: Verdict?, _ findings: [Finding], passed fact: Check.Fact
    ) {
        if findings.isEmpty { pass(question, fact) } else { fail(question, verdict, findings) }
    }
}
