/// A pass type identifier, or the beginning of one followed by `*`.
///
/// `pass.com.example.ticket` matches this pass type only, and `pass.com.example.*` all that begin
/// with `pass.com.example.`. Letters are compared bytewise, so case matters.
///
/// ```swift
/// let pattern = try PassTypePattern("pass.com.example.*")
/// print(pattern.matches("pass.com.example.ticket"))
/// ```
public struct PassTypePattern: Sendable, Hashable, CustomStringConvertible {
    /// The pattern as it was written.
    public let description: String

    /// Creates a pattern.
    ///
    /// For example: `let concerts = try PassTypePattern("pass.com.example.concert*")`
    ///
    /// - Throws: ``PassTypePatternError`` if no pass type matches it, or every one.
    public init(_ text: String) throws(PassTypePatternError) {
        let parts = text.split(separator: "*", omittingEmptySubsequences: false)
        guard parts.count == 1 || parts.count == 2 && parts[1].isEmpty else {
            throw .wildcardNotLast
        }
        let beginning = parts[0]
        if parts.count == 2, "pass.".utf8.starts(with: beginning.utf8) { throw .everyType }
        let name = beginning.utf8.dropFirst("pass.".utf8.count)
        guard beginning.utf8.starts(with: "pass.".utf8), !name.isEmpty,
            name.allSatisfy(\.isOfIdentifiers)
        else { throw .noPassType }
        description = text
    }

    /// Whether a pass type identifier matches the pattern.
    ///
    /// For example: `try PassTypePattern("pass.com.example.*").matches(pass.passTypeIdentifier)`
    public func matches(_ passTypeIdentifier: String) -> Bool {
        guard description.utf8.last == UInt8(ascii: "*") else {
            return description.utf8.elementsEqual(passTypeIdentifier.utf8)
        }
        return passTypeIdentifier.utf8.starts(with: description.utf8.dropLast())
    }
}

/// Why a text is not a pattern of pass types.
///
/// ```swift
/// do {
///     _ = try PassTypePattern("pass.*")
/// } catch PassTypePatternError.everyType { print("Name the issuer: pass.com.example.*") }
/// ```
public enum PassTypePatternError: Error, Sendable, Hashable, CaseIterable {
    /// It contains `*` elsewhere than at its end.
    case wildcardNotLast
    /// Every pass type matches it.
    case everyType
    /// No pass type matches it: it does not begin with `pass.`, or contains other characters than
    /// ASCII letters, digits, dots, hyphens and underscores.
    case noPassType
}

extension UInt8 {
    fileprivate var isOfIdentifiers: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
