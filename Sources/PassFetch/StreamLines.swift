import Bytes

/// Splits a stream into lines. A line ends with LF, CRLF or CR (WHATWG HTML, 9.2.5), or at the end
/// of the stream.
struct StreamLines {
    /// The longest line, in bytes.
    static let longest = 64 << 10
    /// The minimum that a line counts, in bytes, since an event is sent for each line.
    private static let leastCount = 64

    /// The maximum size of all lines, in bytes; each counts at least ``leastCount``.
    private let maximumSize: Int
    private var line: [UInt8] = []
    /// Whether the last byte was a CR: an LF after it belongs to the same line end.
    private var isAfterReturn = false
    private var count = 0

    init(maximumSize: Int) {
        self.maximumSize = maximumSize
    }

    /// Reads a piece of the stream, and reports the lines that end in it.
    ///
    /// - Returns: The limit that the stream exceeds, in bytes; nil if it exceeds none.
    mutating func take(_ bytes: Span<UInt8>, _ report: (String) -> Void) -> Int? {
        for index in bytes.indices {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\n"), isAfterReturn {
                isAfterReturn = false
                continue
            }
            isAfterReturn = byte == UInt8(ascii: "\r")
            if isAfterReturn || byte == UInt8(ascii: "\n") {
                count += max(line.count + 1, StreamLines.leastCount)
                guard count <= maximumSize else { return maximumSize }
                report(String(streamSafe: line))
                line.removeAll(keepingCapacity: true)
            } else {
                guard line.count < StreamLines.longest else { return StreamLines.longest }
                line.append(byte)
            }
        }
        return nil
    }

    /// Reports the last line, if the stream ends without a line end.
    mutating func finish(_ report: (String) -> Void) {
        guard !line.isEmpty else { return }
        report(String(streamSafe: line))
        line.removeAll()
    }
}
