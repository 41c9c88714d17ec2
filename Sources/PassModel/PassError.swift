/// Why the bytes could not be read as a pass.
public enum PassError: Error, Sendable, Hashable, Codable {
    /// pass.json is not JSON, even leniently; line and column count from 1, in characters.
    case notJSON(JSONFault, line: Int, column: Int)
    /// pass.json contains a value of this type instead of an object.
    case notAnObject(JSONKind)
    /// The key, required for the identity of a pass, is absent or empty.
    case missingIdentity(String)
    /// The value of this key, which identifies passes or issuers, contains more than 30 consecutive
    /// combining marks. Breaking the run, as in other text, could make two values equal.
    case longCombiningRun(String)
    /// The name and value of an exceeded limit of ``PassLimits``.
    case overLimit(String, Int)
}

/// Why a text is not JSON (RFC 8259), even leniently.
public enum JSONFault: String, Sendable, Hashable, Codable, CaseIterable {
    /// The text ends before its value does.
    case endsTooSoon
    /// Something follows the value.
    case textBehindEnd
    /// Where a key in quotes belongs is something else.
    case missingKey
    /// Where a value belongs is something else.
    case missingValue
    /// There is no colon after a key.
    case missingColon
    /// After a value there is neither a comma nor a closing bracket.
    case missingComma
    /// A comment has no end.
    case unterminatedComment
    /// A string has no end.
    case unterminatedString
    /// A backslash stands before a character that it cannot escape.
    case unknownEscape
    /// `\u` has fewer than four hexadecimal digits.
    case shortEscape
    /// A number has no digits where some belong.
    case missingDigits
}
