package import PassImport

/// A problem as it is printed: one of the pipeline, or of what surrounds it.
package struct ReportedProblem: Sendable {
    package let source: String
    package var message: MessageReference?
    package var part: String?
    /// Stable: records carry it.
    package let code: String
    package let phrase: Phrase
    /// Whether it was the system that could not do what was asked of it: trying again may help.
    package var isTemporary = false

    package init(_ problem: Problem) {
        source = problem.source
        message = problem.message
        part = problem.part
        code = problem.code
        phrase = problem.kind.phrase
        isTemporary = problem.isTemporary
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
