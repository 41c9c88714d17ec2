/// Parses JSON as issuers write it: RFC 8259, and in addition a byte order mark, UTF-16, comments,
/// trailing commas, raw control characters, invalid UTF-8, lone surrogates, duplicate keys and
/// out-of-range numbers.
///
/// Foundation's parser rejects half of these, reports no line numbers, and loses digits of long
/// numbers. This parser uses an explicit stack, so that deep nesting cannot overflow the call
/// stack, and runs in linear time.
struct LenientJSON {
    private var scanner: JSONScanner
    private let limits: PassLimits
    /// The number of values read so far.
    private var values = 0
    /// Where keys and values are in the text; nil if nobody asked.
    private var marks: [JSONMark]?
    /// The keys of the outermost object whose values are strings in which U+FFFD replaces invalid
    /// UTF-8 or half of a surrogate pair.
    private var damaged: Set<ExactText> = []

    /// Parses the bytes; adds tolerated irregularities to `oddities`.
    static func read(
        _ bytes: [UInt8], limits: PassLimits, oddities: inout Oddities
    ) throws(PassError) -> JSONValue {
        var marks: [JSONMark]?
        var damaged: Set<ExactText> = []
        return try read(
            bytes, limits: limits, oddities: &oddities, marks: &marks, damaged: &damaged)
    }

    /// Also appends the places of keys and values to `marks`, unless it is nil. They count from the
    /// beginning of the text in UTF-8, without a byte order mark.
    ///
    /// - Parameter damaged: The keys of the outermost object whose values are strings in which
    ///   U+FFFD replaces invalid UTF-8 or half of a surrogate pair.
    static func read(
        _ bytes: [UInt8], limits: PassLimits, oddities: inout Oddities, marks: inout [JSONMark]?,
        damaged: inout Set<ExactText>
    ) throws(PassError) -> JSONValue {
        guard bytes.count <= limits.jsonBytes else {
            throw .overLimit("jsonBytes", limits.jsonBytes)
        }
        let text = UnicodeText(bytes)
        // VIOLATIONS.md, P7: UTF-16. P6: a byte order mark.
        if text.encoding == .utf16 {
            oddities.note(.utf16)
        } else if text.hasByteOrderMark {
            oddities.note(.byteOrderMark)
        }
        var reader = LenientJSON(
            scanner: JSONScanner(text, oddities: oddities), limits: limits)
        reader.marks = marks
        defer {
            oddities = reader.scanner.oddities
            marks = reader.marks
            damaged = reader.damaged
        }
        return try reader.read()
    }

    /// An open array or object.
    private struct Container {
        let isObject: Bool
        var elements: [JSONValue] = []
        var members: [ExactText: JSONValue] = [:]
        var key: ExactText = ""
        var keyStart = 0

        var value: JSONValue { isObject ? .object(members) : .array(elements) }
        var closing: UInt8 { isObject ? UInt8(ascii: "}") : UInt8(ascii: "]") }
    }

    private mutating func read() throws(PassError) -> JSONValue {
        var open: [Container] = []
        while true {
            var value: JSONValue
            var isDamaged = false
            values += 1
            guard values <= limits.jsonValues else {
                throw .overLimit("jsonValues", limits.jsonValues)
            }
            try scanner.skipSpace()
            if let container = opening() {
                guard open.count < limits.jsonDepth else {
                    throw .overLimit("jsonDepth", limits.jsonDepth)
                }
                open.append(container)
                try scanner.skipSpace()
                if !scanner.skip(container.closing) {
                    try readKey(&open)
                    continue
                }
                marks?.append(.close(at: scanner.position))
                open.removeLast()
                value = container.value
            } else {
                let start = scanner.position
                value = try scanner.scalar()
                isDamaged = scanner.isDamaged
                marks?.append(.scalar(value, start..<scanner.position))
            }
            while true {
                if open.isEmpty {
                    try scanner.expectEnd()
                    return value
                }
                put(value, isDamaged, into: &open)
                if try isFollowedByAnother(in: open) {
                    try readKey(&open)
                    break
                }
                guard let closed = open.popLast() else { break }
                value = closed.value
                isDamaged = false
            }
        }
    }

    private mutating func opening() -> Container? {
        let start = scanner.position
        let isObject = scanner.skip(UInt8(ascii: "{"))
        guard isObject || scanner.skip(UInt8(ascii: "[")) else { return nil }
        marks?.append(.open(isObject: isObject, at: start))
        return Container(isObject: isObject)
    }

    private mutating func readKey(_ open: inout [Container]) throws(PassError) {
        guard let last = open.indices.last, open[last].isObject else { return }
        let start = scanner.position
        let key = ExactText(try scanner.key())
        marks?.append(.key(key, start..<scanner.position))
        (open[last].key, open[last].keyStart) = (key, start)
        try scanner.skipSpace()
        guard scanner.skip(UInt8(ascii: ":")) else { throw scanner.error(.missingColon) }
    }

    private mutating func put(
        _ value: JSONValue, _ isDamaged: Bool, into open: inout [Container]
    ) {
        guard let last = open.indices.last else { return }
        if open[last].isObject {
            let key = open[last].key
            if open[last].members.updateValue(value, forKey: key) != nil {
                // VIOLATIONS.md, P2: the last value counts.
                scanner.note(.duplicateKey, at: open[last].keyStart)
            }
            guard last == 0 else { return }
            if isDamaged { damaged.insert(key) } else { damaged.remove(key) }
        } else {
            open[last].elements.append(value)
        }
    }

    private mutating func isFollowedByAnother(in open: [Container]) throws(PassError) -> Bool {
        guard let closing = open.last?.closing else { return false }
        try scanner.skipSpace()
        let comma = scanner.position
        if scanner.skip(closing) {
            marks?.append(.close(at: scanner.position))
            return false
        }
        guard scanner.skip(UInt8(ascii: ",")) else {
            throw scanner.error(.missingComma)
        }
        try scanner.skipSpace()
        guard scanner.skip(closing) else { return true }
        // VIOLATIONS.md, P1: a trailing comma.
        scanner.note(.trailingComma, at: comma)
        marks?.append(.close(at: scanner.position))
        return false
    }
}

/// The place of a key or value in the text, in the order of the text.
enum JSONMark {
    case open(isObject: Bool, at: Int)
    case key(ExactText, Range<Int>)
    case scalar(JSONValue, Range<Int>)
    /// Behind the closing bracket.
    case close(at: Int)
}
