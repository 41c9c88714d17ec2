/// Why no pass is made of a row.
///
/// ```swift
/// do {
///     _ = try PassTemplate(folder).serialNumber(for: row)
/// } catch RowFault.missing(let column) { print("line \(row.line): \(column) is missing") }
/// ```
public enum RowFault: Error, Sendable, Hashable {
    // The text of the row.

    /// The row is longer than this number of bytes.
    case tooLong(limit: Int)
    /// Not UTF-8.
    case notUTF8
    /// A quoted field is not closed (RFC 4180, 2.5); the file ends in it.
    case unclosedQuote
    /// Text follows the closing quote of a field (RFC 4180, 2.5).
    case textAfterQuote
    /// A carriage return without a line feed, outside quotes.
    case loneCarriageReturn
    /// The row has another number of fields than the header.
    case fieldCount(expected: Int, found: Int)
    /// The line is not JSON (RFC 8259); bytes count from 1.
    case notJSON(byte: Int)
    /// The line is JSON, but no object.
    case notAnObject
    /// The value is an array or object.
    case nested(column: String)
    /// The object has two members with this name.
    case repeatedColumn(String)
    /// The object has more members than this.
    case tooManyColumns(limit: Int)

    // Its values.

    /// The column is missing or empty, and the template requires it.
    case missing(column: String)
    /// Not a number as RFC 8259, section 6, defines it.
    case notANumber(column: String, value: String)
    /// Neither true nor false.
    case notABoolean(column: String, value: String)
    /// The image cannot be used; the path is that in the row.
    case image(column: String, path: String, ImageFault)
    /// pass.json has no serial number, or an empty one.
    case noSerialNumber
    /// The serial number or pass type has more than 30 combining marks in a row.
    case longCombiningRun
    /// The name of the pass's file is empty.
    case noName
    /// The name of the pass's file is longer than this number of bytes.
    case nameTooLong(limit: Int)

    // Other rows.

    /// An earlier row has the same serial number.
    case repeatedSerialNumber(String, firstLine: Int)
    /// The pass of an earlier row has the same file name.
    case repeatedName(String, firstLine: Int)
}

/// Why a file is not taken as an image of a pass. The payload of
/// ``RowFault/image(column:path:_:)``.
public enum ImageFault: Error, Sendable, Hashable {
    /// The path begins with a slash.
    case absolute
    /// The path contains `..`, or an empty name.
    case outside
    /// The file, or a folder of its path, is a symbolic link.
    case link
    /// A folder, device or pipe.
    case notAFile
    /// The system reported an error.
    case unreadable(FolderFault)
    /// Larger than this number of bytes.
    case tooLarge(limit: Int)
    /// Without the signature of PNG (PNG specification, 5.2).
    case notPNG
}
