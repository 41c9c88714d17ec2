internal import Bytes
internal import PassPresentation
internal import PassSession
internal import Platform

/// A list of URLs, one per line, read on demand. Only one buffer and one line are in memory.
struct URLList: ~Copyable {
    private var displayLocale = LineReader()
    /// The entries of the current buffer, in reverse order.
    private var waiting: [Entry] = []
    private var number = 0
    /// The current line, as far as it has been read.
    private var line: [UInt8] = []
    private var isTooLong = false
    private let limit: Int

    typealias Entry = Result<SourceWord, BadLine>

    /// In bytes. A `data:` URL may contain a pass.
    static let lineLimit = 8 << 20

    init(_ stream: any ByteStream, behind head: StreamHead, limit: Int = lineLimit) {
        self.init(ByteSource(stream: stream, prefix: head.bytes), limit: limit)
    }

    init(_ source: ByteSource, bufferSize: Int = 64 << 10, limit: Int = lineLimit) {
        self.limit = limit
        displayLocale = LineReader(bufferSize: bufferSize)
        displayLocale.open(source)
    }

    /// Returns the next URL or faulty line; nil at the end.
    mutating func next() throws(FileError) -> Entry? {
        while waiting.isEmpty {
            var entries: [Entry] = []
            let isThere = try readOn(into: &entries)
            waiting = entries.reversed()
            if !isThere { break }
        }
        return waiting.popLast()
    }

    private mutating func readOn(into entries: inout [Entry]) throws(FileError) -> Bool {
        var (line, isTooLong, number) = (line, isTooLong, number)
        self.line = []
        let limit = limit
        let isThere = try displayLocale.next { bytes, isAtEnd in
            var start = 0
            while start < bytes.count {
                let end = bytes.endOfLine(from: start, limit: bytes.count)
                isTooLong = isTooLong || line.count + end - start > limit
                if !isTooLong { bytes.append(start..<end, to: &line) }
                let isWhole = bytes[end - 1] == UInt8(ascii: "\n") || isAtEnd && end == bytes.count
                start = end
                guard isWhole else { continue }
                number += 1
                do throws(UnreadableWord) {
                    if isTooLong { throw .lineTooLong(limit: limit) }
                    if let word = try ListLine.word(line) { entries.append(.success(word)) }
                } catch {
                    entries.append(.failure(BadLine(number: number, reason: error)))
                }
                line.removeAll(keepingCapacity: line.count < 64 << 10)
                isTooLong = false
            }
            return bytes.count
        }
        (self.line, self.isTooLong, self.number) = (line, isTooLong, number)
        return isThere
    }
}

extension Span<UInt8> {
    fileprivate func append(_ range: Range<Int>, to bytes: inout [UInt8]) {
        unsafe withUnsafeBufferPointer { buffer in
            unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[range]))
        }
    }
}
