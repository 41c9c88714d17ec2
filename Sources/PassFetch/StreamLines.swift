import Bytes

/// Splits a stream into its lines, which end with LF, CRLF or CR (WHATWG HTML, 9.2.5), or with the
/// stream.
struct StreamLines {
    /// The longest line, in bytes.
    static let longest = 64 << 10
    /// What a line counts at least, in bytes, since an event is sent for each.
    private static let leastCount = 64

    /// The most bytes in all, of which each line counts ``leastCount`` at least.
    private let maximumSize: Int
    private var line: [UInt8] = []
    /// Whether the last byte was a CR, so that an LF after it ends no other line.
    private var isAfterReturn = false
    private var count = 0

    init(maximumSize: Int) {
        self.maximumSize = maximumSize
    }

    /// Takes a piece of the stream, and reports the lines that end in it.
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
