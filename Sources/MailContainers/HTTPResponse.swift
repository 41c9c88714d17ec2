package import Bytes
import MIME
package import Platform

/// An HTTP response with its header (RFC 9112), as `curl -i` saves it and as WARC files hold it.
///
///     HTTP/1.1 200 OK
///     Content-Type: application/vnd.apple.pkpass
///     Transfer-Encoding: chunked
///
/// VIOLATIONS.md, H23: the fields that describe the encoding may be wrong: many programs store the
/// decoded body with the original header. The first bytes of the body decide.
package struct HTTPResponse: Sendable {
    package enum Coding: Sendable {
        /// RFC 1950, or RFC 1951 alone, which servers also send as `deflate`.
        case zlib, deflate
        case brotli
    }

    /// The body without its transfer coding, named and typed by the header.
    package let body: EncodedFile
    /// The content coding (RFC 9110, 8.4) of the body, unless its signature tells it, as with gzip.
    package let coding: Coding?

    /// The longest header that is read, in bytes.
    private static let longestHeader = 256 << 10

    /// Nil if the octets do not begin with a response. Of several, as after a redirect, the last
    /// one counts.
    package init?(_ octets: SpooledBytes) throws(FileError) {
        let bytes = try octets.array(0..<HTTPResponse.longestHeader)
        let source = bytes.span
        var fields = Fields()
        var next = source.trimmed(source.indices).lowerBound
        guard TextSignature.statusLine(source, at: next) != nil else { return nil }
        while let line = TextSignature.statusLine(source, at: next) {
            fields = Fields()
            next = fields.read(source, from: line.upperBound)
        }
        let header = PartHeader(contentType: fields.type, contentDisposition: fields.disposition)
        var end = octets.count
        if let length = fields.length, length < end - next { end = next + length }
        let encoded = octets.slice(next..<end)
        let isChunked = fields.transfer.contains("chunked") && HTTPChunks.begin(source, at: next)
        body = EncodedFile(
            header.names.isEmpty ? header.named(["body"]) : header, encoded,
            isChunked ? .chunked : .identity)
        let start = try body.start()
        let isDecoded = FileSignature(start.span) != nil
        coding = isDecoded ? nil : HTTPResponse.coding(fields.coding, start)
    }

    private static func coding(_ field: String, _ start: [UInt8]) -> Coding? {
        if field.contains("br") { return .brotli }
        guard field.contains("deflate"), start.count > 1 else { return nil }
        let isZlib = start[0] & 0x0F == 8 && (Int(start[0]) << 8 | Int(start[1])) % 31 == 0
        return isZlib ? .zlib : .deflate
    }

    private struct Fields {
        var type: String?
        var disposition: String?
        var transfer = ""
        var coding = ""
        var length: Int?

        /// Reads the fields up to the blank line; returns the offset after it.
        mutating func read(_ source: Span<UInt8>, from start: Int) -> Int {
            var position = start
            while position < source.count {
                let line = position..<source.endOfLine(from: position, limit: source.count)
                position = line.upperBound
                let text = source.trimmed(line)
                if text.isEmpty { break }
                guard let colon = source.firstIndex(of: UInt8(ascii: ":"), in: text) else {
                    continue
                }
                let value = source.trimmed(colon + 1..<text.upperBound)
                take(source, text.lowerBound..<colon, value)
            }
            return position
        }

        private mutating func take(_ source: Span<UInt8>, _ name: Range<Int>, _ value: Range<Int>) {
            func isName(_ text: StaticString) -> Bool {
                name.count == text.utf8CodeUnitCount
                    && source.hasPrefix(caseInsensitive: text, at: name.lowerBound)
            }
            // One scalar for each byte, as clients of HTTP return fields.
            var text: String {
                String(String.UnicodeScalarView(value.map { Unicode.Scalar(source[$0]) }))
            }
            if isName("content-type") { type = text }
            if isName("content-disposition") { disposition = text }
            if isName("transfer-encoding") { transfer += text.asciiLowercased }
            if isName("content-encoding") { coding += text.asciiLowercased }
            if isName("content-length") { length = Int(text).flatMap { $0 < 0 ? nil : $0 } }
        }
    }
}

/// Decodes the chunked transfer coding (RFC 9112, 7.1) in pieces. Damage ends the body.
struct HTTPChunks {
    private enum Section {
        case size(Int, digits: Int)
        /// The rest of the line with a size.
        case line(Int)
        case data(Int)
        case lineEnd
        case end
    }

    private var section = Section.size(0, digits: 0)

    var isDone: Bool {
        if case .end = section { true } else { false }
    }

    /// Whether a chunk begins at `start`: a size and, after it, an extension or a line end.
    static func begin(_ source: Span<UInt8>, at start: Int) -> Bool {
        var end = start
        while end < source.count, end - start < 16, source[end].hexadecimalValue != nil { end += 1 }
        guard end > start, end < source.count else { return false }
        return source[end].isWhiteSpace || source[end] == UInt8(ascii: ";")
    }

    mutating func decode(_ piece: Span<UInt8>, into decoded: inout [UInt8]) {
        var index = 0
        while index < piece.count, !isDone {
            let byte = piece[index]
            switch section {
            case .size(let size, let digits):
                index += 1
                if let digit = byte.hexadecimalValue, digits < 15 {
                    section = .size(size << 4 | Int(digit), digits: digits + 1)
                } else if digits == 0 || digits == 15 {
                    section = .end
                } else {
                    section = byte == 0x0A ? HTTPChunks.data(size) : .line(size)
                }
            case .line(let size):
                index += 1
                if byte == 0x0A { section = HTTPChunks.data(size) }
            case .data(let size):
                let count = min(size, piece.count - index)
                for place in index..<index + count { decoded.append(piece[place]) }
                index += count
                section = count < size ? .data(size - count) : .lineEnd
            case .lineEnd:
                index += 1
                if byte == 0x0A { section = .size(0, digits: 0) }
            case .end:
                break
            }
        }
    }

    /// The section after the line with a size; 0 is the last chunk.
    private static func data(_ size: Int) -> Section { size == 0 ? .end : .data(size) }
}
