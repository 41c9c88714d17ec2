import Bytes

/// Puts the fields of this program at the top of a message on its way through, and takes out those that
/// came with it: whoever reads such a field shall know that no sender wrote it (RFC 8601, 5 asks the same
/// of who adds Authentication-Results).
///
/// From_ lines stay the first. To what does not begin as a message does nothing is added.
struct HeaderEdit {
    static let name = "X-Passconduit"

    /// How many bytes of a line tell whether it is such a field: the name and what ends it.
    private static let length = name.utf8.count + 1

    private enum Section {
        /// At the first line, which may be a From_ line.
        case start
        case header
        case body
    }

    private var section = Section.start
    private let fields: [UInt8]
    /// The beginning of a line, until it is known what it is.
    private var line: [UInt8] = []
    private var isInLine = false
    /// Whether the field of the line at hand is taken out.
    private var isTakenOut = false
    /// What ended the line before. A CR alone ends none (RFC 5322, 2.2), but for some who read mail.
    private var lineEnd = UInt8(ascii: "\n")
    /// Whether the line before was a CR, which with a LF makes an empty line.
    private var mayBeEmpty = false

    /// - Parameters:
    ///   - fields: Bodies of fields, without a line end.
    ///   - beginning: The first bytes of the message: all of it, or many.
    init(_ fields: [String], to beginning: [UInt8]) {
        guard let lineEnd = LineEnd(of: beginning) else {
            self.fields = []
            return
        }
        self.fields = fields.flatMap { field in
            Array("\(HeaderEdit.name): \(field)\(lineEnd == .crlf ? "\r\n" : "\n")".utf8)
        }
    }

    /// Takes the next bytes, and hands on what becomes of them.
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
                // The other half of the end of the line before.
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

    /// Hands on what is left when there are no more bytes.
    mutating func finish(_ handOn: (Span<UInt8>) throws(FileError) -> Void) throws(FileError) {
        if section != .body, !line.isEmpty { try decide(handOn) }
    }

    /// Decides what becomes of the line that has begun.
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

    /// Whether a line begins a field of this name. White space before the colon is obsolete syntax
    /// (RFC 5322, 4.5).
    private static func isOwn(_ line: [UInt8]) -> Bool {
        guard line.count == length, let end = line.last else { return false }
        let isName = zip(line, name.utf8).allSatisfy { $0.lowercased == $1.lowercased }
        return isName && [UInt8(ascii: ":"), UInt8(ascii: " "), UInt8(ascii: "\t")].contains(end)
    }
}

/// What ends the lines of a message.
private enum LineEnd {
    case lf, crlf

    /// Nil for what does not begin with a header.
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

/// Also one that was within another mailbox.
private func isFromLine(_ line: some Sequence<UInt8>) -> Bool {
    line.starts(with: "From ".utf8) || line.starts(with: ">From ".utf8)
}

extension UInt8 {
    fileprivate var endsLine: Bool { self == UInt8(ascii: "\n") || self == UInt8(ascii: "\r") }

    fileprivate var lowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}

extension Span<UInt8> {
    /// The index behind the next CR or LF, or the end.
    fileprivate func lineEnd(from start: Int) -> Int {
        var index = start
        while index < count, !self[index].endsLine { index += 1 }
        return Swift.min(index + 1, count)
    }
}
