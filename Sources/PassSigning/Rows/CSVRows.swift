internal import Bytes

/// Reads CSV (RFC 4180).
///
/// Quotes in a field that does not begin with one are text, as all spreadsheets read them.
struct CSVRows: Sendable {
    let columns: RowColumns
    private var records: CSVRecords

    init(_ file: RowFile, limits: RowLimits) throws(RowFileError) {
        var comma = try CSVRecords(file, separator: UInt8(ascii: ","), limits: limits)
        guard let header = try comma.next() else { throw .noHeader }
        if header.count > 1 {
            (columns, records) = (try names(of: header, limits: limits), comma)
            return
        }
        // Spreadsheets write semicolons where the comma is the decimal separator.
        for separator in [UInt8(ascii: ";"), UInt8(ascii: "\t")] {
            var other = try CSVRecords(file, separator: separator, limits: limits)
            if let header = try other.next(), header.count > 1, header.fault == nil {
                (columns, records) = (try names(of: header, limits: limits), other)
                return
            }
        }
        (columns, records) = (try names(of: header, limits: limits), comma)
    }

    mutating func next() throws(RowFileError) -> RowEntry? {
        guard let record = try records.next() else { return nil }
        if let fault = record.fault { return .bad(line: record.line, fault) }
        guard record.count == columns.names.count else {
            return .bad(
                line: record.line,
                .fieldCount(expected: columns.names.count, found: record.count))
        }
        return .row(
            TemplateRow(
                line: record.line, columns: columns, bytes: record.bytes, ranges: record.fields))
    }
}

/// The names in the header, without the space around them.
private func names(of header: CSVRecord, limits: RowLimits) throws(RowFileError) -> RowColumns {
    if let fault = header.fault { throw .badHeader(line: header.line, fault) }
    guard header.count <= limits.columns else { throw .tooManyColumns(limit: limits.columns) }
    var names: [String] = []
    var seen: Set<String> = []
    for field in header.fields {
        let name = String(streamSafe: header.bytes[header.bytes.span.trimmed(field)])
        guard !name.isEmpty else { throw .namelessColumn(number: names.count + 1) }
        guard seen.insert(name).inserted else { throw .repeatedColumn(name) }
        names.append(name)
    }
    return RowColumns(names)
}

/// A row as it is written.
private struct CSVRecord {
    let line: Int
    /// The values, with a separator after each.
    var bytes: [UInt8] = []
    /// As many as the limit permits.
    var fields: [Range<Int>] = []
    /// The number of fields.
    var count = 0
    /// The first fault.
    var fault: RowFault?
}

/// Reads the rows as they are written, through a buffer.
private struct CSVRecords: Sendable {
    private var bytes: BufferedBytes
    private let separator: UInt8
    private let limits: RowLimits
    /// The size of the previous row, to reserve memory for the next one.
    private var usual = 64
    private var usualCount = 8

    init(_ file: RowFile, separator: UInt8, limits: RowLimits) throws(RowFileError) {
        bytes = try BufferedBytes(file, size: limits.buffer)
        self.separator = separator
        self.limits = limits
    }

    private enum State {
        case startOfField, text, quoted, afterQuote
    }

    /// The next row that is not blank; nil at the end.
    mutating func next() throws(RowFileError) -> CSVRecord? {
        let separator = separator
        var record = CSVRecord(line: bytes.line)
        record.bytes.reserveCapacity(usual)
        record.fields.reserveCapacity(usualCount)
        var state = State.startOfField
        var start = 0
        var isASCII = true
        func endField() {
            record.count += 1
            if record.count <= limits.columns { record.fields.append(start..<record.bytes.count) }
            // Without it, an incomplete character at the end of a field could be completed by the
            // beginning of the next field.
            record.bytes.append(separator)
            start = record.bytes.count
            state = .startOfField
        }
        func append(_ byte: UInt8) {
            if byte >= 0x80 { isASCII = false }
            record.bytes.append(byte)
        }
        func note(_ fault: RowFault) {
            if record.fault == nil { record.fault = fault }
        }
        while true {
            if record.bytes.count > limits.row {
                note(.tooLong(limit: limits.row))
                record.bytes.removeAll(keepingCapacity: true)
                start = 0
            }
            let byte = try bytes.next()
            switch (state, byte) {
            case (.quoted, nil):
                note(.unclosedQuote)
                endField()
            case (.quoted, UInt8(ascii: "\"")): state = .afterQuote
            case (.quoted, let byte?): append(byte)
            case (.startOfField, UInt8(ascii: "\"")): state = .quoted
            case (.afterQuote, UInt8(ascii: "\"")):
                append(UInt8(ascii: "\""))
                state = .quoted
            case (_, separator): endField()
            case (_, UInt8(ascii: "\n")), (_, nil):
                let isBlank = state == .startOfField && record.count == 0
                if isBlank, byte == nil { return nil }
                if isBlank {
                    record = CSVRecord(line: bytes.line)
                    continue
                }
                endField()
            case (_, UInt8(ascii: "\r")):
                if try bytes.peek() != UInt8(ascii: "\n") { note(.loneCarriageReturn) }
            case (.afterQuote, _):
                // The next quoted field is still recognised: its lines must not become rows.
                note(.textAfterQuote)
                state = .text
            case (_, let byte?):
                append(byte)
                state = .text
            }
            guard byte == UInt8(ascii: "\n") && state == .startOfField || byte == nil else {
                continue
            }
            if !isASCII, (try? UTF8Span(validating: record.bytes.span)) == nil { note(.notUTF8) }
            (usual, usualCount) = (record.bytes.count, record.fields.count)
            return record
        }
    }
}
