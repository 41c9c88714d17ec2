import Bytes
import Platform

/// The state of reading a WARC file (ISO 28500): responses and files that a crawler stored.
///
///     WARC/1.0
///     WARC-Type: response
///     WARC-Target-URI: https://shop.example/ticket.pkpass
///     Content-Length: 4096
///
///     HTTP/1.1 200 OK
///
/// A response is named by the number of its record: its URI may end in `.pkpass` although the
/// server answered with an error.
struct WARCPosition: Sendable {
    private let source: ByteSource
    private let limits: ArchiveLimits
    /// Bytes that were read and not used yet, from `start` on.
    private var buffer: [UInt8] = []
    private var start = 0
    /// The offset after these bytes.
    private var offset = 0
    /// The bytes left of the current block.
    private var rest = 0
    private var number = 0
    /// Whether the bytes before were no record; that was then reported.
    private var isLost = false
    private var isOver = false

    private static let pieceSize = 64 << 10

    init(_ source: ByteSource, _ limits: ArchiveLimits) {
        self.source = source
        self.limits = limits
    }

    mutating func next() throws(FileError) -> FoundEntry? {
        while !isOver {
            guard try skipBlock() else { return end(.truncated) }
            guard try skipBlankLines() else { return end(nil) }
            let place = offset - (buffer.count - start)
            guard let length = try headerLength() else {
                return end(
                    buffer.count - start >= limits.attributes
                        ? .attributesTooLarge(offset: place, limit: limits.attributes) : .truncated)
            }
            let header = Header(buffer.span.extracting(start..<start + length))
            guard let header, let size = header.length else {
                try skipLine()
                if isLost { continue }
                isLost = true
                return .problem(.damagedHeader(offset: place))
            }
            isLost = false
            start += length
            rest = size
            number += 1
            guard let name = header.name(number) else { continue }
            return .file(name: name, size: size, number: number)
        }
        return nil
    }

    /// Reads from the block of a record; 0 at its end, or if it is no longer the current one.
    mutating func read(
        _ number: Int, into target: UnsafeMutableRawBufferPointer
    ) throws(FileError) -> Int {
        guard number == self.number, rest > 0, target.count > 0 else { return 0 }
        if start == buffer.count, try !fill() { return 0 }
        let count = min(rest, buffer.count - start, target.count)
        unsafe buffer.withUnsafeBytes { bytes in
            unsafe target.copyMemory(
                from: UnsafeRawBufferPointer(rebasing: bytes[start..<start + count]))
        }
        start += count
        rest -= count
        return count
    }

    /// Reads more bytes; false at the end of the source. A long hole in a sparse file is left out.
    private mutating func fill() throws(FileError) -> Bool {
        buffer.removeFirst(start)
        start = 0
        let next = source.offset(pastHoleAt: offset)
        rest -= min(rest, next - offset)
        offset = next
        let more = try source.bytes(at: offset, count: WARCPosition.pieceSize)
        offset += more.count
        buffer += more
        return !more.isEmpty
    }

    /// Skips the rest of the block; false if the source ends before.
    private mutating func skipBlock() throws(FileError) -> Bool {
        while rest > 0 {
            let count = min(rest, buffer.count - start)
            start += count
            rest -= count
            if rest > 0, try !fill() { return false }
        }
        return true
    }

    /// Skips the blank lines after a record, and the zeros of a sparse file; false at the end of the
    /// source.
    private mutating func skipBlankLines() throws(FileError) -> Bool {
        while true {
            while start < buffer.count, [0, 0x0A, 0x0D].contains(buffer[start]) { start += 1 }
            if start < buffer.count { return true }
            guard try fill() else { return false }
        }
    }

    private mutating func skipLine() throws(FileError) {
        while true {
            let end = buffer.span.firstIndex(of: 0x0A, in: start..<buffer.count)
            start = end.map { $0 + 1 } ?? buffer.count
            if end != nil { return }
            guard try fill() else { return }
        }
    }

    /// The length of a header with the blank line after it; nil if it exceeds the limit or the
    /// source. Of bytes that are no header, the length of a line.
    private mutating func headerLength() throws(FileError) -> Int? {
        var seen = 0
        while true {
            if let length = heldHeaderLength(&seen) { return length }
            guard buffer.count - start < limits.attributes, try fill() else { return nil }
        }
    }

    /// The same for the bytes in the buffer; `seen` is the length of the lines already examined.
    private func heldHeaderLength(_ seen: inout Int) -> Int? {
        let source = buffer.span
        while let feed = source.firstIndex(of: 0x0A, in: start + seen..<buffer.count) {
            let length = feed + 1 - start
            if seen == 0, !source.hasPrefix("WARC/", at: start) { return length }
            if source.withoutLineEnding(start + seen..<feed + 1).isEmpty { return length }
            seen = length
        }
        return nil
    }

    private mutating func end(_ error: ArchiveError?) -> FoundEntry? {
        isOver = true
        rest = 0
        return error.map { .problem($0) }
    }

    /// The fields of a record's header that are needed.
    private struct Header {
        private var type: [UInt8] = []
        private var target: [UInt8] = []
        /// Of the block, in bytes.
        private(set) var length: Int?

        /// Nil if the bytes are no header.
        init?(_ bytes: Span<UInt8>) {
            guard bytes.hasPrefix("WARC/", at: 0) else { return nil }
            var position = bytes.endOfLine(from: 0, limit: bytes.count)
            while position < bytes.count {
                let line = position..<bytes.endOfLine(from: position, limit: bytes.count)
                position = line.upperBound
                guard let colon = bytes.firstIndex(of: UInt8(ascii: ":"), in: line) else {
                    continue
                }
                let value = bytes.trimmed(colon + 1..<line.upperBound)
                if bytes.hasPrefix(caseInsensitive: "warc-type:", at: line.lowerBound) {
                    type = value.map { bytes[$0].asciiLowercased }
                } else if bytes.hasPrefix(caseInsensitive: "warc-target-uri:", at: line.lowerBound)
                {
                    target = value.map { bytes[$0] }
                } else if bytes.hasPrefix(caseInsensitive: "content-length:", at: line.lowerBound),
                    value.count < 16, value.allSatisfy({ bytes[$0].isASCIIDigit })
                {
                    length = value.reduce(0) { $0 * 10 + Int(bytes[$1] - 0x30) }
                }
            }
        }

        /// The name of the file in the record; nil if it holds none.
        func name(_ number: Int) -> String? {
            if type.elementsEqual("response".utf8) { return "\(number)" }
            guard type.elementsEqual("resource".utf8) || type.elementsEqual("conversion".utf8)
            else {
                return nil
            }
            // Some programs enclose the URI in `<` and `>`.
            let path = target.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
            let name = path.filter { $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">") }
            return name.isEmpty ? "\(number)" : String(streamSafe: name)
        }
    }
}
