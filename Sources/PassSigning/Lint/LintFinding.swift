internal import Bytes

/// A mistake in a pass, with its place.
///
/// ```swift
/// for finding in PassLint(folder).findings where finding.severity == .error {
///     print(finding.file, finding.keyPath ?? "", finding.fault.rule)
/// }
/// ```
public struct LintFinding: Sendable, Hashable {
    /// The path of the file in the pass, such as `en.lproj/pass.strings`.
    public let file: String
    /// The key in the file, such as `boardingPass.primaryFields[0].value`; nil if the fault
    /// concerns the whole file.
    public let keyPath: String?
    /// The line in the file, counted from 1; nil if unknown.
    public let line: Int?
    /// The mistake.
    public let fault: LintFault
    /// The change that corrects it; nil unless there is exactly one right answer.
    public let fix: LintFix?

    init(
        _ fault: LintFault, in file: String, key keyPath: String? = nil, line: Int? = nil,
        fix: LintFix? = nil
    ) {
        self.file = file
        self.keyPath = keyPath
        self.line = line
        self.fault = fault
        self.fix = fix
    }

    /// How serious the mistake is. A key, another pass or a file of data must not be issued with a
    /// pass.
    public var severity: LintSeverity {
        fault == .strayFile && isConfidential(file) ? .error : fault.severity
    }
}

/// How serious a mistake is.
///
/// For example: `let isReady = !PassLint(folder).findings.contains { $0.severity == .error }`
public enum LintSeverity: String, Sendable, Hashable, Codable, CaseIterable {
    /// Wallet refuses the pass, or a part of it does not work.
    case error
    /// Wallet takes the pass, but it does not look or work as the issuer probably intended.
    case warning
}

/// Whether the name is that of a key, a pass, or data from which passes are made.
private func isConfidential(_ path: String) -> Bool {
    let endings = [
        ".key", ".pem", ".p12", ".pfx", ".pkpass", ".pkpasses", ".csv", ".jsonl", ".ndjson",
    ]
    let name = path.asciiLowercased
    return endings.contains { name.hasSuffix($0) }
}
