internal import Bytes

/// A row of a file of data: the values of one pass.
///
/// ```swift
/// var reader = try RowFile(contentsOf: url).reader()
/// while let entry = try reader.next() {
///     if case .row(let row) = entry { print(row.line, row["serialNumber"] ?? "-") }
/// }
/// ```
public struct TemplateRow: Sendable {
    /// The line on which the row begins, from 1.
    public let line: Int
    /// The columns of the row: for CSV those of the header, for JSONL the members of the object.
    public let columns: RowColumns
    private let bytes: [UInt8]
    /// The bytes of each column; empty if the value is missing.
    private let ranges: [Range<Int>]

    /// - Parameters:
    ///   - bytes: All values, each in UTF-8.
    ///   - ranges: One for each column.
    init(line: Int, columns: RowColumns, bytes: [UInt8], ranges: [Range<Int>]) {
        self.line = line
        self.columns = columns
        self.bytes = bytes
        self.ranges = ranges
    }

    /// Makes a row of texts.
    ///
    /// For example: `TemplateRow(line: 2, ["serialNumber": "A-17", "seat": "12C"])`
    ///
    /// - Parameters:
    ///   - line: The line that faults name.
    ///   - values: The value of each column.
    public init(line: Int, _ values: [String: String]) {
        var bytes: [UInt8] = []
        var ranges: [Range<Int>] = []
        for value in values.values {
            let start = bytes.count
            bytes += value.utf8
            ranges.append(start..<bytes.count)
        }
        self.init(
            line: line, columns: RowColumns(Array(values.keys)), bytes: bytes, ranges: ranges)
    }

    /// The value of a column; nil if it is missing or empty.
    ///
    /// For example: `let seat = row["seat"] ?? "free seating"`
    public subscript(column: String) -> String? {
        guard let index = columns.index(of: column), let value = value(at: index) else {
            return nil
        }
        return String(streamSafe: value)
    }

    /// The bytes of the column at an index; nil if the value is missing or empty.
    func value(at index: Int) -> ArraySlice<UInt8>? {
        guard ranges.indices.contains(index), !ranges[index].isEmpty else { return nil }
        return bytes[ranges[index]]
    }
}

/// The names of the columns of a row, in order.
///
/// For example: `let hasPortraits = row.columns.imageNames.contains("thumbnail.png")`
public struct RowColumns: Sendable, Hashable {
    /// The names.
    public let names: [String]
    private let indices: [String: Int]
    /// The columns that hold paths of images: the column, and the path in the pass.
    let images: [Int]

    init(_ names: [String]) {
        self.names = names
        indices = Dictionary(names.enumerated().map { ($1, $0) }) { $1 }
        images = names.indices.filter { isImagePath(names[$0]) }
    }

    /// The place of a column; nil if there is no such column.
    func index(of name: String) -> Int? { indices[name] }

    /// The columns that hold paths of images, such as `thumbnail.png` or `en.lproj/logo.png`.
    public var imageNames: [String] { images.map { names[$0] } }
}

/// Whether a column is named like an image of a pass: a PNG file in the folder of the pass or of a
/// language.
private func isImagePath(_ name: String) -> Bool {
    let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard let file = parts.last, parts.count <= 2 else { return false }
    let language = parts.count == 2 ? parts[0] : nil
    return has(file, ending: ".png") && language.map { has($0, ending: ".lproj") } != false
        && !name.utf8.contains { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "\\") }
}

/// Whether a visible name ends with this and has more than that.
private func has(_ name: Substring.UTF8View, ending: String) -> Bool {
    name.count > ending.utf8.count && name.suffix(ending.utf8.count).elementsEqual(ending.utf8)
        && name.first != UInt8(ascii: ".")
}
