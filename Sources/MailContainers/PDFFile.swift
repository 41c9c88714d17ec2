package import Bytes
package import MIME
package import Platform

/// The files in a PDF document (ISO 32000-1, 7.11.4), one after the other:
///
///     7 0 obj
///     << /Type /EmbeddedFile /Subtype /application#2Fvnd.apple.pkpass /Length 4096 >>
///     stream
///
/// The dictionary of a stream is never compressed, so that one pass over the bytes finds them,
/// without the document's other objects.
package struct PDFFile {
    package struct Found {
        package let header: PartHeader
        package let octets: SpooledBytes
        /// Whether the octets are compressed with zlib, the only filter that is read.
        package let isDeflated: Bool
    }

    /// Whether all files were returned.
    package private(set) var isOver = false

    private let octets: SpooledBytes
    /// Whether nothing follows the bytes read last.
    private var isRead = false
    /// The bytes read last, from `start` on, and the index of the first one not searched.
    private var held: [UInt8] = []
    private var start = 0
    private var place = 0
    /// Whether the bytes held were searched.
    private var needsBytes = true
    /// The file whose end is searched for.
    private var open: OpenStream?

    private struct OpenStream {
        let header: PartHeader
        let isDeflated: Bool
        let start: Int
        /// As its dictionary declares it.
        let length: Int?
    }

    private static let pieceSize = 64 << 10
    /// The length of the longest dictionary of a stream that is read, in bytes.
    private static let longest = 4096

    package init(_ octets: SpooledBytes) { self.octets = octets }

    /// Reads on; nil if this step found no file.
    package mutating func takeNext() throws(FileError) -> Found? {
        if needsBytes || place >= held.count { try read() }
        let found = open == nil ? try beginStream() : endStream()
        isOver = isRead && open == nil && place >= held.count
        return found
    }

    /// Replaces the bytes that were searched by the next ones.
    private mutating func read() throws(FileError) {
        held.removeFirst(min(place, held.count))
        start += place
        place = 0
        let next = octets.offset(pastHoleAt: start + held.count)
        if next > start + held.count { (held, start) = ([], next) }
        let more = try octets.array(next..<next + PDFFile.pieceSize)
        held += more
        isRead = more.isEmpty
        needsBytes = false
    }

    /// Searches for the dictionary of a file.
    private mutating func beginStream() throws(FileError) -> Found? {
        let held = held
        let bytes = held.span
        while let mark = bytes.firstIndex(of: UInt8(ascii: "o"), in: place..<bytes.count) {
            if bytes.count - mark < PDFFile.longest, !isRead {
                (place, needsBytes) = (mark, true)
                return nil
            }
            place = mark + 1
            guard PDFFile.beginsObject(bytes, at: mark),
                let stream = stream(bytes, after: mark + 3)
            else { continue }
            place = stream.start - start
            if let length = stream.length, length <= octets.count - stream.start,
                try isEnd(stream.start + length)
            {
                place += length
            }
            open = stream
            return nil
        }
        place = bytes.count
        return nil
    }

    /// Whether a stream ends here, perhaps after a line end.
    private func isEnd(_ place: Int) throws(FileError) -> Bool {
        let bytes = try octets.array(place..<place + "\r\nendstream".utf8.count)
        let mark = bytes.span.trimmed(bytes.indices).lowerBound
        return bytes.span.hasPrefix("endstream", at: mark)
    }

    /// Searches for the end of the open file.
    private mutating func endStream() -> Found? {
        let held = held
        let bytes = held.span
        while let mark = bytes.firstIndex(of: UInt8(ascii: "e"), in: place..<bytes.count) {
            if bytes.count - mark < "endstream".utf8.count, !isRead {
                // The line end before it is needed.
                (place, needsBytes) = (max(place, mark - 2), true)
                return nil
            }
            place = mark + 1
            if bytes.hasPrefix("endstream", at: mark) {
                let isLineEnd = mark > 0 && (bytes[mark - 1] == 0x0A || bytes[mark - 1] == 0x0D)
                let lineEnd = bytes.hasPrefix("\r\n", at: mark - 2) ? 2 : isLineEnd ? 1 : 0
                return close(at: start + mark - lineEnd, lineEnd)
            }
        }
        guard isRead else {
            (place, needsBytes) = (max(place, bytes.count - 2), true)
            return nil
        }
        place = bytes.count
        // The file is truncated.
        return close(at: start + place, 0)
    }

    /// Ends the open file, before a line end of so many bytes. If that may be part of the file, its
    /// declared length decides.
    private mutating func close(at end: Int, _ lineEnd: Int) -> Found? {
        guard let stream = open.take() else { return nil }
        var end = max(end, stream.start)
        if let length = stream.length, (0...lineEnd).contains(stream.start + length - end) {
            end = stream.start + length
        }
        return Found(
            header: stream.header, octets: octets.slice(stream.start..<end),
            isDeflated: stream.isDeflated)
    }

    /// Whether an object begins here, after its number.
    private static func beginsObject(_ bytes: Span<UInt8>, at place: Int) -> Bool {
        guard bytes.hasPrefix("obj", at: place), place == 0 || bytes[place - 1].isWhiteSpace else {
            return false
        }
        let next = place + 3
        return next == bytes.count || bytes[next].isWhiteSpace || bytes[next] == UInt8(ascii: "<")
    }

    /// The end of a string in parentheses, which may be nested (7.3.4.2).
    private static func endOfString(_ bytes: Span<UInt8>, from start: Int, _ limit: Int) -> Int {
        var end = start
        var depth = 0
        while end < limit {
            let byte = bytes[end]
            end += byte == UInt8(ascii: "\\") ? 2 : 1
            if byte == UInt8(ascii: "(") { depth += 1 }
            if byte == UInt8(ascii: ")") { depth -= 1 }
            if depth == 0 { break }
        }
        return min(end, limit)
    }

    /// The file whose dictionary begins here, if any.
    private func stream(_ bytes: Span<UInt8>, after mark: Int) -> OpenStream? {
        let limit = min(bytes.count, mark + PDFFile.longest)
        let first = bytes.trimmed(mark..<limit).lowerBound
        var end = first
        var depth = 0
        repeat {
            guard end < limit else { return nil }
            if bytes.hasPrefix("<<", at: end) {
                depth += 1
                end += 2
            } else if bytes.hasPrefix(">>", at: end) {
                depth -= 1
                end += 2
            } else if depth == 0 || PDFFile.beginsObject(bytes, at: end) {
                return nil
            } else if bytes[end] == UInt8(ascii: "(") {
                end = PDFFile.endOfString(bytes, from: end, limit)
            } else if bytes[end] == UInt8(ascii: "<") {
                let close = bytes.firstIndex(of: UInt8(ascii: ">"), in: end..<limit)
                end = close.map { $0 + 1 } ?? limit
            } else {
                end += 1
            }
        } while depth > 0
        var data = bytes.trimmed(end..<max(end, limit)).lowerBound
        guard bytes.hasPrefix("stream", at: data) else { return nil }
        data += "stream".utf8.count
        let dictionary = PDFDictionary(bytes.extracting(first..<end))
        guard dictionary.isOfFile, let isDeflated = dictionary.isDeflated else { return nil }
        data += bytes.hasPrefix("\r\n", at: data) ? 2 : 1
        return OpenStream(
            header: PartHeader(names: [], mediaTypes: dictionary.mediaTypes),
            isDeflated: isDeflated, start: start + data, length: dictionary.length)
    }
}

/// The dictionary of a stream (ISO 32000-1, 7.3.8).
private struct PDFDictionary {
    private let bytes: [UInt8]

    init(_ bytes: Span<UInt8>) { self.bytes = bytes.indices.map { bytes[$0] } }

    var isOfFile: Bool { place(after: "/EmbeddedFile") != nil }

    /// Nil if the file is encoded in another way (7.4).
    var isDeflated: Bool? {
        guard let value = place(after: "/Filter") else { return false }
        let isArray = bytes.span.hasPrefix("[", at: value)
        let name = isArray ? bytes.span.trimmed(value + 1..<bytes.count).lowerBound : value
        guard let end = place(after: "/FlateDecode", at: name) ?? place(after: "/Fl", at: name)
        else { return nil }
        return !isArray || bytes.span.hasPrefix("]", at: end) ? true : nil
    }

    /// In bytes; nil if another object has it.
    var length: Int? {
        guard let value = place(after: "/Length") else { return nil }
        let digits = bytes[value...].prefix(12).prefix { $0.isASCIIDigit }
        let next = bytes[digits.endIndex...].first { !$0.isWhiteSpace }
        guard !digits.isEmpty, next?.isASCIIDigit != true else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    var mediaTypes: [String] {
        guard let value = place(after: "/Subtype"), bytes.span.hasPrefix("/", at: value) else {
            return []
        }
        var type: [UInt8] = []
        var index = value + 1
        while index < bytes.count, !PDFDictionary.isDelimiter(bytes[index]) {
            if bytes[index] == UInt8(ascii: "#"), index + 2 < bytes.count,
                let high = bytes[index + 1].hexadecimalValue,
                let low = bytes[index + 2].hexadecimalValue
            {
                type.append(high << 4 | low)
                index += 3
            } else {
                type.append(bytes[index].asciiLowercased)
                index += 1
            }
        }
        return [String(streamSafe: type)]
    }

    /// The place after the first occurrence of a name and the white space after it.
    private func place(after name: StaticString) -> Int? {
        var next = 0
        while let slash = bytes.span.firstIndex(of: UInt8(ascii: "/"), in: next..<bytes.count) {
            if let place = place(after: name, at: slash) { return place }
            next = slash + 1
        }
        return nil
    }

    private func place(after name: StaticString, at start: Int) -> Int? {
        let end = start + name.utf8CodeUnitCount
        guard bytes.span.hasPrefix(name, at: start), end < bytes.count,
            PDFDictionary.isDelimiter(bytes[end])
        else { return nil }
        return bytes.span.trimmed(end..<bytes.count).lowerBound
    }

    /// Whether a byte ends a name (7.2.2).
    private static func isDelimiter(_ byte: UInt8) -> Bool {
        byte.isWhiteSpace || byte == 0 || "()<>[]{}/%".utf8.contains(byte)
    }
}
