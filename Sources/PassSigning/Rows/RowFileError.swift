/// Why a file of rows cannot be read.
///
/// ```swift
/// do {
///     _ = try RowFile(contentsOf: url).reader()
/// } catch RowFileError.utf16 { print("save the table as CSV in UTF-8") }
/// ```
public enum RowFileError: Error, Sendable, Hashable {
    /// The system reported an error.
    case unreadable(FolderFault)
    /// A folder, device or pipe.
    case notAFile
    /// The file is UTF-16; only UTF-8 is read.
    case utf16
    /// A CSV file without a first row.
    case noHeader
    /// A JSONL file without an object.
    case noObject
    /// The first row of a CSV file is malformed.
    case badHeader(line: Int, RowFault)
    /// A column without a name; columns count from 1.
    case namelessColumn(number: Int)
    /// Two columns have this name.
    case repeatedColumn(String)
    /// The header has more columns than this.
    case tooManyColumns(limit: Int)
    /// More than this number of different serial numbers or file names occur again.
    case tooManyRepeats(limit: Int)
}
