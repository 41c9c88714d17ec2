/// Reads the rows of a ``RowFile`` one after the other, in constant memory.
///
/// A bad row is returned as such, and reading goes on with the next one.
///
/// ```swift
/// var reader = try RowFile(contentsOf: url).reader()
/// print(reader.columns?.names ?? [])
/// ```
public struct RowReader: Sendable {
    private var rows: Rows

    private enum Rows: Sendable {
        case csv(CSVRows)
        case jsonl(JSONLRows)
    }

    init(_ file: RowFile, limits: RowLimits) throws(RowFileError) {
        switch file.format {
        case .csv: rows = .csv(try CSVRows(file, limits: limits))
        case .jsonl: rows = .jsonl(try JSONLRows(file, limits: limits))
        }
    }

    /// The columns of every row; nil for JSONL, whose rows each have their own.
    public var columns: RowColumns? {
        if case .csv(let rows) = rows { rows.columns } else { nil }
    }

    /// The next row; nil at the end of the file.
    ///
    /// ```swift
    /// var reader = try RowFile(contentsOf: url).reader()
    /// var count = 0
    /// while try reader.next() != nil { count += 1 }
    /// ```
    ///
    /// - Throws: ``RowFileError/unreadable(_:)`` if the system reports an error, and
    ///   ``RowFileError/noObject`` at the end of a JSONL file that is empty.
    public mutating func next() throws(RowFileError) -> RowEntry? {
        switch rows {
        case .csv(var csv):
            defer { rows = .csv(csv) }
            return try csv.next()
        case .jsonl(var jsonl):
            defer { rows = .jsonl(jsonl) }
            return try jsonl.next()
        }
    }
}

/// A row, or why there is none.
///
/// ```swift
/// var reader = try RowFile(contentsOf: url).reader()
/// if case .bad(let line, let fault) = try reader.next() { print(line, fault) }
/// ```
public enum RowEntry: Sendable {
    /// The values of a row.
    case row(TemplateRow)
    /// A row that cannot be read; it begins on this line.
    case bad(line: Int, RowFault)
}
