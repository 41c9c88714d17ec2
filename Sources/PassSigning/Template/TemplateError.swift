/// Why a folder cannot be used as a template, or not with these columns.
///
/// ```swift
/// do {
///     _ = try PassTemplate(folder)
/// } catch TemplateError.notJSON(let file, let line, _) { print("\(file), line \(line)") }
/// ```
public enum TemplateError: Error, Sendable, Hashable {
    /// The folder has no pass.json.
    case noPass
    /// The file is not UTF-8.
    case notUTF8(file: String)
    /// The file is not JSON (RFC 8259); line and column count from 1, the column in bytes.
    case notJSON(file: String, line: Int, column: Int)
    /// The JSON is nested more deeply than this.
    case tooDeep(file: String, limit: Int)
    /// pass.json has no text as its serial number.
    case noSerialNumber
    /// A placeholder is malformed or in the wrong place.
    case placeholder(PlaceholderFault, file: String, line: Int)
    /// The data lacks columns that the template requires.
    case missingColumns([String])
}

/// What is wrong with a placeholder. The payload of ``TemplateError/placeholder(_:file:line:)`` and
/// ``OutputNameError/placeholder(_:)``.
public enum PlaceholderFault: Sendable, Hashable {
    /// `}}` is missing in the same text.
    case notClosed
    /// There is no name, or it contains a brace.
    case noName
    /// The word after the colon is neither `number` nor `boolean`.
    case unknownKind(String)
    /// A number or boolean that is not a whole value in JSON.
    case kindInText(String)
    /// In a key instead of a value.
    case inKey
    /// Outside quotes.
    case notQuoted
}
