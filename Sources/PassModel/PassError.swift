/// Why the bytes could not be read as a pass.
///
/// ```swift
/// do {
///     let pass = try Pass(json: [UInt8](Data(contentsOf: url)))
///     print(pass.identity)
/// } catch PassError.notJSON(_, let line, _) { print("not JSON: line \(line)") }
/// ```
public enum PassError: Error, Sendable, Hashable, Codable {
    /// pass.json is not JSON, even leniently; line and column count from 1, in characters.
    case notJSON(JSONFault, line: Int, column: Int)
    /// pass.json contains a value of this type instead of an object.
    case notAnObject(JSONKind)
    /// The key, which is required for the identity of a pass, is absent or empty.
    case missingIdentity(String)
    /// The value of this key, which identifies a pass or an issuer, contains more than 30
    /// consecutive combining marks. Breaking up the run, as in other text, could make two
    /// identifiers equal.
    case longCombiningRun(String)
    /// The value of this key, which identifies a pass or an issuer, contains invalid UTF-8 or half
    /// of a surrogate pair. Replacing it, as in other text, could make two identifiers equal.
    case notUnicode(String)
    /// A limit of ``PassLimits`` is exceeded: its name and value.
    case overLimit(String, Int)
}

/// Why a text cannot be parsed as JSON (RFC 8259), even leniently.
///
/// The payload of ``PassError/notJSON(_:line:column:)``.
public enum JSONFault: String, Sendable, Hashable, Codable, CaseIterable {
    /// The text ends within a value.
    case endsTooSoon
    /// Unexpected text after the value.
    case textBehindEnd
    /// Expected a key in quotes.
    case missingKey
    /// Expected a value.
    case missingValue
    /// Expected a colon after a key.
    case missingColon
    /// Expected a comma or a closing bracket after a value.
    case missingComma
    /// A comment is not closed.
    case unterminatedComment
    /// A string is not closed.
    case unterminatedString
    /// A backslash before a character that cannot be escaped.
    case unknownEscape
    /// Fewer than four hexadecimal digits after `\u`.
    case shortEscape
    /// Expected a digit in a number.
    case missingDigits
}
