internal import Bytes

/// Reads JSONL: an object on each line. Blank lines are skipped.
struct JSONLRows: Sendable {
    private var bytes: BufferedBytes
    private let limits: RowLimits
    /// The names of the previous row, which most rows share.
    private var names: [UInt8] = []
    private var ends: [Int] = []
    private var columns = RowColumns([])
    private var usual = 64
    /// Whether there was a line that is not blank.
    private var hasLines = false

    init(_ file: RowFile, limits: RowLimits) throws(RowFileError) {
        bytes = try BufferedBytes(file, size: limits.buffer)
        self.limits = limits
    }

    mutating func next() throws(RowFileError) -> RowEntry? {
        while true {
            let line = bytes.line
            var text: [UInt8] = []
            text.reserveCapacity(usual)
            try bytes.takeLine(into: &text, limit: limits.row)
            let end = try bytes.next()
            usual = text.count
            if text.allSatisfy(\.isWhiteSpace) {
                if end == nil, text.isEmpty {
                    guard hasLines else { throw .noObject }
                    return nil
                }
                if text.count <= limits.row { continue }
            }
            hasLines = true
            guard text.count <= limits.row else {
                return .bad(line: line, .tooLong(limit: limits.row))
            }
            do throws(RowFault) {
                return .row(try row(text, line: line))
            } catch {
                return .bad(line: line, error)
            }
        }
    }

    private mutating func row(_ text: [UInt8], line: Int) throws(RowFault) -> TemplateRow {
        guard (try? UTF8Span(validating: text.span)) != nil else { throw .notUTF8 }
        var object = JSONLObject(StrictJSON(text))
        try object.read(limit: limits.columns)
        if object.names != names || object.ends != ends {
            let texts = object.texts
            var seen: Set<String> = []
            for text in texts where !seen.insert(text).inserted { throw .repeatedColumn(text) }
            columns = RowColumns(texts)
            (names, ends) = (object.names, object.ends)
        }
        return TemplateRow(line: line, columns: columns, bytes: object.bytes, ranges: object.values)
    }
}

/// An object while it is being read.
private struct JSONLObject {
    private var json: StrictJSON
    /// The names of the members, and where each ends.
    private(set) var names: [UInt8] = []
    private(set) var ends: [Int] = []
    /// The values, and where each is.
    private(set) var bytes: [UInt8] = []
    private(set) var values: [Range<Int>] = []

    init(_ json: StrictJSON) {
        self.json = json
    }

    /// The names of the members as texts.
    var texts: [String] {
        var start = 0
        return ends.map { end in
            defer { start = end }
            return String(streamSafe: names[start..<end])
        }
    }

    mutating func read(limit: Int) throws(RowFault) {
        json.skipSpace()
        guard json.skip(UInt8(ascii: "{")) else { throw isOtherValue ? .notAnObject : notJSON }
        json.skipSpace()
        if !json.skip(UInt8(ascii: "}")) {
            repeat {
                guard ends.count < limit else { throw .tooManyColumns(limit: limit) }
                json.skipSpace()
                try readMember()
                json.skipSpace()
            } while json.skip(UInt8(ascii: ","))
            guard json.skip(UInt8(ascii: "}")) else { throw notJSON }
        }
        json.skipSpace()
        guard json.peek == nil else { throw notJSON }
    }

    private var notJSON: RowFault { .notJSON(byte: json.position + 1) }

    private var isOtherValue: Bool {
        var copy = json
        return copy.peek == UInt8(ascii: "[") || copy.string() != nil || copy.number() != nil
            || copy.skip("true") || copy.skip("false") || copy.skip("null")
    }

    private mutating func readMember() throws(RowFault) {
        guard let name = json.string() else { throw notJSON }
        let start = names.count
        json.decode(name, into: &names)
        ends.append(names.count)
        json.skipSpace()
        guard json.skip(UInt8(ascii: ":")) else { throw notJSON }
        json.skipSpace()
        let first = bytes.count
        switch json.peek {
        case UInt8(ascii: "\""):
            guard let text = json.string() else { throw notJSON }
            json.decode(text, into: &bytes)
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            throw .nested(column: String(streamSafe: names[start...]))
        case UInt8(ascii: "t") where json.skip("true"): bytes += "true".utf8
        case UInt8(ascii: "f") where json.skip("false"): bytes += "false".utf8
        case UInt8(ascii: "n") where json.skip("null"): break
        default:
            // Numbers stay as they are written, so that no digit is lost.
            guard let number = json.number() else { throw notJSON }
            bytes += json.bytes[number]
        }
        values.append(first..<bytes.count)
    }
}
