package import PassDetection
package import PassImport

/// A problem as it is printed, from the pipeline or from another part of the program.
package struct ReportedProblem: Sendable {
    package let source: String
    package var message: MessageReference?
    package var part: String?
    /// A stable code, which records contain.
    package let code: String
    package let phrase: Phrase
    /// Whether the system caused the problem, so that trying again may help.
    package var isTemporary = false
    /// Whether it concerns content that nobody asked for, and does not affect the exit code.
    package var isIncidental = false
    /// The number of events that the problem stands for, if it counts them.
    package var count: Int?

    package init(_ problem: Problem) {
        source = problem.source
        message = problem.message
        part = problem.part
        code = problem.code
        phrase = problem.kind.phrase
        isTemporary = problem.isTemporary
        isIncidental = problem.isIncidental
        count = problem.kind.count
    }

    package init(
        source: String, message: MessageReference? = nil, part: String? = nil, code: String,
        _ phrase: Phrase, isTemporary: Bool = false
    ) {
        self.source = source
        self.message = message
        self.part = part
        self.code = code
        self.phrase = phrase
        self.isTemporary = isTemporary
    }
}

extension ReportedProblem {
    /// The problem without the names that a sender chose, for the log of a mail system.
    package var withoutNames: ReportedProblem {
        // The names in an error of the system are those of the user's folders.
        guard !isTemporary else { return self }
        var problem = ReportedProblem(
            source: source, message: message, part: part.map(numberOfPart), code: code,
            phrase.withoutNames)
        problem.isIncidental = isIncidental
        return problem
    }
}

/// The number of a part, without the name of a container's member in it.
package func numberOfPart(_ part: String) -> String {
    String(part.prefix { $0 == "." || $0.isASCII && $0.isNumber })
}
