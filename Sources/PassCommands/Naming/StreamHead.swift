internal import Bytes

/// The beginning of a stream, read to see whether it is a list of URLs: nothing of it is lost for who
/// reads the stream afterwards with these bytes before it.
struct StreamHead: Sendable {
    private(set) var bytes: [UInt8] = []
    /// Whether each line that was looked at is one of a list, and one of them a URL.
    private(set) var isList = false

    /// Whether it is a list, and files are in it.
    private(set) var namesFiles = false

    /// Where it begins with a URL and is no list all the same: the line that is none of a list, counted
    /// from 1.
    private(set) var lineOutOfPlace: Int?

    /// How much is looked at, in bytes.
    static let size = 64 << 10

    /// Reads no more than it takes to tell. What cannot be read, who reads on will hear of.
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

/// What the lines of a text have been so far, where none is out of place in a list.
private struct ListLines {
    private(set) var haveFiles = false
    /// Whether there was a URL, before any line that is out of place.
    private(set) var hasURL = false
    /// Of the line at hand, counted from 1.
    private(set) var number = 1
    /// Where the line begins that has not ended.
    private var start = 0
    private var looked = 0

    /// Looks at what came; false once a line is none of a list.
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

    /// Whether all of it is a list, as far as it was looked at.
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
