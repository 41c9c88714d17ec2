public import PassModel
public import PassSigning

/// The reason why a row is not published or changed.
///
/// ```swift
/// for case .failure(.row(let fault)) in try await store.publish([row], of: template) {
///     print(row.line, fault)
/// }
/// ```
public enum RowRefusal: Error, Sendable, Hashable {
    /// A value is missing or has another type, or an image is unusable.
    case row(RowFault)
    /// The pass would have these errors.
    case mistakes([LintFinding])
    /// The contents of the pass cannot be read.
    case pass(PassError)
    /// The pass has no `authenticationToken` of at least 16 characters, so no device could request
    /// it.
    case noToken
    /// The template has no columns with these names. Also carries the columns that it has.
    case unknownColumns([String], known: [String])
    /// The date for this key of pass.json is not a W3C date with a time of day.
    case incompleteDate(key: String, String)
    /// This key of pass.json must be the same in all versions.
    case changedKey(String)
}
