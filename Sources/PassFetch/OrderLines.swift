import Platform

/// The lines of a pipe.
struct OrderLines: ~Copyable {
    let file: FileDescriptor
    private(set) var isAtEnd = false
    private var held: [UInt8] = []
    /// Whether the current line is too long, and is dropped.
    private var isTooLong = false

    init(_ file: FileDescriptor) {
        self.file = file
    }

    /// The longest line, in bytes.
    private static let limit = 1 << 20

    /// The next line without its line feed; an empty one if it was too long; nil if none is
    /// complete yet.
    mutating func next() -> [UInt8]? {
        guard let end = held.firstIndex(of: UInt8(ascii: "\n")) else {
            if held.count >= OrderLines.limit { isTooLong = true }
            if isTooLong { held.removeAll(keepingCapacity: true) }
            return nil
        }
        let line = isTooLong ? [] : Array(held[..<end])
        held.removeFirst(end + 1)
        isTooLong = false
        return line
    }

    /// Reads on; waits if nothing has arrived.
    mutating func readMore() {
        var buffer = [UInt8](repeating: 0, count: 65536)
        let got = try? unsafe buffer.withUnsafeMutableBytes { buffer in
            try unsafe file.read(into: buffer)
        }
        isAtEnd = (got ?? 0) == 0
        held += buffer.prefix(got ?? 0)
    }
}
