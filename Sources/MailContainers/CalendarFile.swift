package import Bytes
package import MIME
package import MailSource
package import Platform

/// The files in the properties of iCalendar (RFC 5545) and vCard (RFC 2426, RFC 6350): `ATTACH`,
/// `PHOTO`, `KEY` and any other with `ENCODING=BASE64`, `ENCODING=B` or a `data:` URI.
///
///     ATTACH;FMTTYPE=application/vnd.apple.pkpass;ENCODING=BASE64;VALUE=BINARY;FIL
///      ENAME=ticket.pkpass:UEsDBBQAAAAIAA
///      ...
package struct CalendarFile {
    /// Whether all files were returned.
    package var isOver: Bool { isRead && next == found.count }

    private let octets: SpooledBytes
    private let isWanted: (PartHeader, ContentKind) -> Bool
    private var scanner = CalendarScanner()
    private var offset = 0
    private var startsLine = true
    private var isRead = false
    /// The files found last, and the index of the next one to return.
    private var found: [CalendarScanner.Found] = []
    private var next = 0

    /// - Parameter isWanted: Whether a file with this header and kind is returned.
    package init(
        _ octets: SpooledBytes, isWanted: @escaping (PartHeader, ContentKind) -> Bool
    ) {
        self.octets = octets
        self.isWanted = isWanted
    }

    /// Reads on; nil if this step found no file.
    package mutating func takeNext() throws(FileError) -> EncodedFile? {
        if next == found.count { try readLines() }
        while next < found.count {
            let file = EncodedFile(found[next].header, octets.slice(found[next].range), .base64)
            next += 1
            let kind = try file.kind()
            if kind != .empty, isWanted(file.header, kind) { return file }
        }
        return nil
    }

    private mutating func readLines() throws(FileError) {
        guard !isRead else { return }
        var reader = LineReader()
        reader.open(ByteSource(octets), from: offset, startsLine: startsLine)
        isRead = try !reader.next { bytes, _ in
            scanner.read(bytes, at: offset, startsLine: startsLine)
            return bytes.count
        }
        (offset, startsLine) = (reader.offset, reader.startsLine)
        if isRead { scanner.finish(at: offset) }
        (found, next) = (scanner.takeFound(), 0)
    }
}

/// Finds the encoded values of properties, line by line.
struct CalendarScanner {
    struct Found {
        let header: PartHeader
        let range: Range<Int>
    }

    private enum Section {
        /// Before the value of a property, or before the comma of a `data:` URI.
        case head
        /// In the value of a file that began at this offset.
        case file(PartHeader, start: Int)
        /// In another value.
        case value
    }

    private var section = Section.value
    private var found: [Found] = []
    /// Whether a line of the current property is folded.
    private var isFolded = false
    /// The current property up to its value, unfolded.
    private var head = CalendarProperty()

    mutating func takeFound() -> [Found] {
        defer { found = [] }
        return found
    }

    mutating func read(_ bytes: Span<UInt8>, at offset: Int, startsLine: Bool) {
        var position = 0
        var startsLine = startsLine
        while position < bytes.count {
            let line = position..<bytes.endOfLine(from: position, limit: bytes.count)
            var text = bytes.withoutLineEnding(line)
            if startsLine {
                if bytes[position] == 0x20 || bytes[position] == 0x09 {
                    text = text.dropFirst()
                    isFolded = true
                } else if !continuesFile(bytes, text) {
                    finish(at: offset + position)
                    section = .head
                    isFolded = false
                    head = CalendarProperty()
                }
            }
            if case .head = section { readHead(bytes, text, at: offset) }
            position = line.upperBound
            startsLine = bytes[position - 1] == UInt8(ascii: "\n")
        }
    }

    mutating func finish(at end: Int) {
        if case .file(let header, let start) = section, start < end {
            found.append(Found(header: header, range: start..<end))
        }
        section = .value
    }

    /// Whether a line that is not folded is base64 of the current file. VIOLATIONS.md, Z18.
    private func continuesFile(_ bytes: Span<UInt8>, _ text: Range<Int>) -> Bool {
        guard case .file = section, !isFolded else { return false }
        return text.allSatisfy { Base64.isDigit(bytes[$0]) }
    }

    private mutating func readHead(_ bytes: Span<UInt8>, _ text: Range<Int>, at offset: Int) {
        for index in text {
            switch head.read(bytes[index]) {
            case .head: continue
            case .file: section = .file(head.header, start: offset + index + 1)
            case .other: section = .value
            }
            return
        }
    }
}

/// The name and parameters of a property, up to a base64 value.
struct CalendarProperty {
    enum Progress {
        case head, file, other
    }

    private var bytes: [UInt8] = []
    private var isQuoted = false
    /// The index of the colon before the value.
    private var colon: Int?

    /// The longest beginning that is examined, in bytes.
    private static let limit = 4096

    /// Reads one more byte; says whether it was the last one before the value of a file.
    mutating func read(_ byte: UInt8) -> Progress {
        guard bytes.count < CalendarProperty.limit else { return .other }
        bytes.append(byte)
        guard let colon else {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            guard byte == UInt8(ascii: ":"), !isQuoted else { return .head }
            colon = bytes.count - 1
            return isEncoded ? .file : .head
        }
        let value = bytes[(colon + 1)...]
        // A media type with parameters precedes the comma.
        for (byte, expected) in zip(value, CalendarProperty.data)
        where byte.asciiLowercased != expected {
            return .other
        }
        guard byte == UInt8(ascii: ",") else { return .head }
        return dataParameters.contains("base64") ? .file : .other
    }

    private static let data = Array("data:".utf8)

    /// Whether a parameter says that the value is in base64. Few properties have one.
    private var isEncoded: Bool {
        let span = bytes.span
        let mayBe = bytes.indices.contains {
            span.hasPrefix(caseInsensitive: "encoding", at: $0)
                || span.hasPrefix(caseInsensitive: "base64", at: $0)
        }
        guard mayBe else { return false }
        return parameters.contains { name, value in
            let value = value.asciiLowercased
            return name == "encoding" && (value == "b" || value == "base64") || name == "base64"
        }
    }

    /// The header of the file.
    var header: PartHeader {
        var names: [String] = []
        var types: [String] = []
        for (name, value) in parameters {
            switch name {
            case "filename", "x-filename", "x-apple-filename", "x-evolution-caldav-attach-name",
                "x-label", "label", "x-ms-filename":
                if let name = PartHeader.fileName(value) { names.append(name) }
            case "fmttype", "mediatype", "type":
                let header = PartHeader(contentType: value, contentDisposition: nil)
                types += header.mediaTypes.filter { $0.utf8.contains(UInt8(ascii: "/")) }
            default: break
            }
        }
        if let type = dataParameters.first, type.utf8.contains(UInt8(ascii: "/")) {
            types.append(type)
        }
        return PartHeader(names: names, mediaTypes: types)
    }

    /// The parameters (RFC 5545, 3.2), with names in lower case.
    private var parameters: [(name: String, value: String)] {
        CalendarProperty.split(bytes[..<(colon ?? bytes.count)]).dropFirst().map { parameter in
            let equals = parameter.firstIndex(of: UInt8(ascii: "=")) ?? parameter.endIndex
            let value = parameter[equals...].dropFirst().filter { $0 != UInt8(ascii: "\"") }
            let name = parameter[..<equals].map(\.asciiLowercased)
            return (String(streamSafe: name), Charset.guess(Array(value)))
        }
    }

    /// The media type and parameters of a `data:` URI, in lower case.
    private var dataParameters: [String] {
        guard let colon, let comma = bytes.lastIndex(of: UInt8(ascii: ",")), comma > colon else {
            return []
        }
        return bytes[(colon + 1)..<comma].dropFirst(5).split(separator: UInt8(ascii: ";")).map {
            String(streamSafe: $0.map(\.asciiLowercased))
        }
    }

    /// Splits at semicolons that are not quoted.
    private static func split(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var isQuoted = false
        return bytes.split { byte in
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            return byte == UInt8(ascii: ";") && !isQuoted
        }
    }
}
