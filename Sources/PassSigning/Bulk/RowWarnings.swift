/// The warnings about the passes of a run. Rows mostly have the same ones, so that each kind is
/// reported once, for the first row that has it.
///
/// ```swift
/// var warnings = RowWarnings()
/// for warning in warnings.add(pass.warnings) { print(row.line, warning.fault.rule) }
/// ```
package struct RowWarnings: Sendable {
    /// The number of rows with warnings.
    package private(set) var rows = 0
    private var known: Set<Kind> = []
    private let limit: Int

    /// - Parameter limit: The number of kinds that are reported. Rows with other kinds are counted.
    package init(limit: Int = 1_000) {
        self.limit = limit
    }

    /// Adds the warnings about a row; returns those of a kind that no earlier row had.
    package mutating func add(_ warnings: [LintFinding]) -> [LintFinding] {
        guard !warnings.isEmpty else { return [] }
        rows += 1
        return warnings.filter { warning in
            known.count < limit && known.insert(Kind(warning)).inserted
        }
    }

    private struct Kind: Hashable {
        let rule, file: String
        let key: String?

        init(_ finding: LintFinding) {
            rule = finding.fault.rule
            file = finding.file
            key = finding.keyPath
        }
    }
}
