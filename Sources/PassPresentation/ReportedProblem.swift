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

    package init(_ problem: Problem) {
        source = problem.source
        message = problem.message
        part = problem.part
        code = problem.code
        phrase = problem.kind.phrase
        isTemporary = problem.isTemporary
        isIncidental = problem.isIncidental
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
