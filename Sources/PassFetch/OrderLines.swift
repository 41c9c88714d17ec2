import Platform

/// Reads lines from a pipe, each as soon as it is complete.
struct OrderLines: ~Copyable {
    private let file: FileDescriptor
    private var held: [UInt8] = []
    private var isAtEnd = false

    init(_ file: FileDescriptor) {
        self.file = file
    }

    /// The longest line, in bytes.
    private static let limit = 1 << 20

    /// The next line without its line feed; an empty one if it was too long; nil at the end.
    mutating func next() -> [UInt8]? {
        var isTooLong = false
        while true {
            if let end = held.firstIndex(of: UInt8(ascii: "\n")) {
                let line = isTooLong ? [] : Array(held[..<end])
                held.removeFirst(end + 1)
                return line
            }
            if held.count >= OrderLines.limit { isTooLong = true }
            if isTooLong { held.removeAll(keepingCapacity: true) }
            guard !isAtEnd else { return nil }
            var buffer = [UInt8](repeating: 0, count: 65536)
            let got = try? unsafe buffer.withUnsafeMutableBytes { buffer in
                try unsafe file.read(into: buffer)
            }
            isAtEnd = (got ?? 0) == 0
            held += buffer.prefix(got ?? 0)
        }
    }
}
