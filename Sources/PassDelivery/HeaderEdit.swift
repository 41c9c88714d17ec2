import Platform

/// Adds the header fields of this program at the top of a message, and removes existing ones, so
/// that recipients can trust them (RFC 8601, 5 requires the same for Authentication-Results).
///
/// `From ` lines stay first. Input that does not begin like a message gets no header fields.
struct HeaderEdit {
    static let name = "X-Passconduit"

    /// The number of bytes needed to recognise the field: its name and the next byte.
    private static let length = name.utf8.count + 1

    private enum Section {
        /// At the first line, which may be a `From ` line.
        case start
        case header
        case body
    }

    private var section = Section.start
    private let fields: [UInt8]
    /// The beginning of the current line, until it is recognised.
    private var line: [UInt8] = []
    private var isInLine = false
    /// Whether the field of the current line is removed.
    private var isTakenOut = false
    /// The end of the previous line. VIOLATIONS.md, M16: some readers accept a bare CR.
    private var lineEnd = UInt8(ascii: "\n")
    /// Whether the previous line is a CR only; a LF after it completes an empty line.
    private var mayBeEmpty = false

    /// - Parameters:
    ///   - fields: Field bodies, without line ends.
    ///   - beginning: The first bytes of the message, enough to contain its first lines.
    init(_ fields: [String], to beginning: [UInt8]) {
        guard let lineEnd = LineEnd(of: beginning) else {
            self.fields = []
            return
        }
        self.fields = fields.flatMap { field in
            Array("\(HeaderEdit.name): \(field)\(lineEnd == .crlf ? "\r\n" : "\n")".utf8)
        }
    }

    /// Processes the next bytes, and calls `handOn` with the output.
    mutating func take(
        _ bytes: Span<UInt8>, _ handOn: (Span<UInt8>) throws(FileError) -> Void
    ) throws(FileError) {
        var index = 0
        while index < bytes.count, section != .body {
            let byte = bytes[index]
            if isInLine {
                let end = bytes.lineEnd(from: index)
                if !isTakenOut { try handOn(bytes.extracting(index..<end)) }
                lineEnded(with: bytes[end - 1])
                index = end
            } else if line.isEmpty, lineEnd == UInt8(ascii: "\r"), byte == UInt8(ascii: "\n") {
                // The second half of the previous line end.
                if !isTakenOut || mayBeEmpty { try handOn(bytes.extracting(index..<index + 1)) }
                if mayBeEmpty { section = .body }
                lineEnd = byte
                index += 1
            } else {
                line.append(byte)
                index += 1
                if byte.endsLine || line.count == HeaderEdit.length { try decide(handOn) }
            }
        }
        if index < bytes.count { try handOn(bytes.extracting(index..<bytes.count)) }
    }

    private mutating func lineEnded(with byte: UInt8) {
        isInLine = !byte.endsLine
        if byte.endsLine { lineEnd = byte }
    }

    /// Writes the rest after the last bytes.
    mutating func finish(_ handOn: (Span<UInt8>) throws(FileError) -> Void) throws(FileError) {
        if section != .body, !line.isEmpty { try decide(handOn) }
    }

    /// Decides whether to keep the current line.
    private mutating func decide(
        _ handOn: (Span<UInt8>) throws(FileError) -> Void
    ) throws(FileError) {
        let begun = line
        line = []
        let isAfterLF = lineEnd == UInt8(ascii: "\n")
        let first = begun.first ?? 0
        defer { if let last = begun.last { lineEnded(with: last) } }
        mayBeEmpty = false
        if section == .start {
            if isFromLine(begun) || first.endsLine { return try handOn(begun.span) }
            section = .header
            try handOn(fields.span)
        }
        if first == UInt8(ascii: "\n"), isAfterLF {
            section = .body
            isTakenOut = false
        } else if first == UInt8(ascii: "\r"), isAfterLF {
            mayBeEmpty = true
            return try handOn(begun.span)
        } else if first != UInt8(ascii: " "), first != UInt8(ascii: "\t") {
            isTakenOut = HeaderEdit.isOwn(begun)
        }
        if !isTakenOut { try handOn(begun.span) }
    }

    /// Whether a line begins a field of this name. VIOLATIONS.md, M22: white space before the
    /// colon.
    private static func isOwn(_ line: [UInt8]) -> Bool {
        guard line.count == length, let end = line.last else { return false }
        let isName = zip(line, name.utf8).allSatisfy { $0.lowercased == $1.lowercased }
        return isName && [UInt8(ascii: ":"), UInt8(ascii: " "), UInt8(ascii: "\t")].contains(end)
    }
}

/// The line end of a message.
private enum LineEnd {
    case lf, crlf

    /// Nil if the input does not begin with a header.
    init?(of beginning: [UInt8]) {
        var line = beginning[...]
        while isFromLine(line), let end = line.firstIndex(of: UInt8(ascii: "\n")) {
            line = line[(end + 1)...]
        }
        // RFC 5322, 2.2: a name of printable characters, then a colon.
        let name = line.prefix { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ":") }
        let rest = line[name.endIndex...].drop { $0 == UInt8(ascii: " ") || $0 == 0x09 }
        guard !name.isEmpty, rest.first == UInt8(ascii: ":"),
            let end = rest.firstIndex(of: UInt8(ascii: "\n"))
        else { return nil }
        self = beginning[end - 1] == UInt8(ascii: "\r") ? .crlf : .lf
    }
}

/// Also matches a quoted `From ` line.
private func isFromLine(_ line: some Sequence<UInt8>) -> Bool {
    line.starts(with: "From ".utf8) || line.starts(with: ">From ".utf8)
}

extension UInt8 {
    fileprivate var endsLine: Bool { self == UInt8(ascii: "\n") || self == UInt8(ascii: "\r") }

    fileprivate var lowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}

extension Span<UInt8> {
    /// The offset after the next CR or LF, or the end.
    fileprivate func lineEnd(from start: Int) -> Int {
        var index = start
        while index < count, !self[index].endsLine { index += 1 }
        return Swift.min(index + 1, count)
    }
}
