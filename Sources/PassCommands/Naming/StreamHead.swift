internal import Bytes

/// The beginning of a stream, read to find out whether it is a list of URLs. The reader of the
/// stream gets these bytes first, so that none are lost.
struct StreamHead: Sendable {
    private(set) var bytes: [UInt8] = []
    /// Whether all lines read so far belong to a list, and at least one is a URL.
    private(set) var isList = false

    /// Whether it is a list that contains `file:` URLs.
    private(set) var namesFiles = false

    /// The first line that does not belong to a list, counted from 1, if the stream begins like a
    /// list but is not one.
    private(set) var lineOutOfPlace: Int?

    /// Maximum number of bytes to read.
    static let size = 64 << 10

    /// Reads until the answer is known. Read errors are left to the next reader.
    init(of stream: any ByteStream) {
        var lines = ListLines()
        var piece = [UInt8](repeating: 0, count: StreamHead.size)
        while bytes.count < StreamHead.size {
            let room = StreamHead.size - bytes.count
            let got = unsafe piece.withUnsafeMutableBytes { buffer in
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<room])
                return (try? unsafe stream.read(into: rest)) ?? 0
            }
            bytes += piece[..<got]
            guard lines.goOn(in: bytes, isAtEnd: got == 0) else {
                lineOutOfPlace = lines.hasURL ? lines.number : nil
                return
            }
            if got == 0 { break }
        }
        isList = lines.areList(in: bytes)
        namesFiles = isList && lines.haveFiles
    }
}

/// Examines lines until one does not belong to a list.
private struct ListLines {
    private(set) var haveFiles = false
    /// Whether a URL was found.
    private(set) var hasURL = false
    /// The current line, counted from 1.
    private(set) var number = 1
    /// Offset of the current line.
    private var start = 0
    private var looked = 0

    /// Examines new bytes; returns false once a line does not belong to a list.
    mutating func goOn(in bytes: [UInt8], isAtEnd: Bool) -> Bool {
        while let end = bytes.span.firstIndex(of: 0x0A, in: looked..<bytes.count) {
            guard take(bytes[start..<end]) else { return false }
            number += 1
            start = end + 1
            looked = start
        }
        looked = bytes.count
        guard isAtEnd else { return ListLine.mayBegin(Array(bytes[start...].prefix(64))) }
        defer { start = bytes.count }
        return take(bytes[start...])
    }

    /// Whether all lines so far belong to a list that has a URL.
    func areList(in bytes: [UInt8]) -> Bool {
        let rest = Array(bytes[start...])
        return ListLine.mayBegin(rest) && (hasURL || !ListLine.isNothing(rest))
    }

    private mutating func take(_ line: ArraySlice<UInt8>) -> Bool {
        let line = Array(line)
        if ListLine.isNothing(line) { return true }
        guard ListLine.isURL(line) else { return false }
        hasURL = true
        haveFiles = haveFiles || ListLine.isURL(line, ofFile: true)
        return true
    }
}
