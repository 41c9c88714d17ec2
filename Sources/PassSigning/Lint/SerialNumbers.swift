public import PassModel

/// The identities of the passes of a run, to find those that occur twice. It takes eight bytes per
/// pass and some room.
///
/// Each pass is read once, when it is linted. The rows of a file can be read twice, for which
/// ``RepeatedSerials`` needs no memory per row.
///
/// ```swift
/// var serialNumbers = SerialNumbers()
/// if let finding = serialNumbers.add(pass.identity) { print(finding.fault.rule) }
/// ```
public struct SerialNumbers: Sendable {
    private var hashes: Set<Int> = []

    /// Creates the state of a run without passes.
    ///
    /// For example: `var serialNumbers = SerialNumbers()`
    public init() {}

    /// Adds a pass; returns a finding if the run had one with the same identity.
    ///
    /// ```swift
    /// var serialNumbers = SerialNumbers()
    /// let findings = [pass, pass].compactMap { serialNumbers.add($0.identity) }
    /// print(findings.count)  // 1
    /// ```
    public mutating func add(_ identity: PassIdentity) -> LintFinding? {
        guard !hashes.insert(identity.hashValue).inserted else { return nil }
        return LintFinding(
            .repeatedSerialNumber(identity.serialNumber), in: "pass.json", key: "serialNumber")
    }
}
