public import PassModel
public import PassSigning

/// Why a row is not published, or not changed.
///
/// ```swift
/// for case .failure(.row(let fault)) in try await store.publish([row], of: template) {
///     print(row.line, fault)
/// }
/// ```
public enum RowRefusal: Error, Sendable, Hashable {
    /// A value is missing or has another type, or an image is unusable.
    case row(RowFault)
    /// The pass would have these mistakes, which are errors.
    case mistakes([LintFinding])
    /// The contents of the pass cannot be read.
    case pass(PassError)
    /// The pass has no `authenticationToken` of at least 16 characters, so no device may ask for it.
    case noToken
    /// The template has no such columns, but the others.
    case unknownColumns([String], known: [String])
    /// The date in this key of pass.json is no W3C date with a time of day.
    case incompleteDate(key: String, String)
    /// This key of pass.json must be the same in all versions.
    case changedKey(String)
}
