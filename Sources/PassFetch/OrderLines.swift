import Bytes

/// Lines as they come in a pipe, handed out as soon as they have ended.
struct OrderLines: ~Copyable {
    private let file: FileDescriptor
    private var held: [UInt8] = []
    private var isAtEnd = false

    init(_ file: FileDescriptor) {
        self.file = file
    }

    /// The next line without its end; nil behind the last, and behind one that no order has the length
    /// of.
    mutating func next() -> [UInt8]? {
        while true {
            if let end = held.firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(held[..<end])
                held.removeFirst(end + 1)
                return line
            }
            guard !isAtEnd, held.count < 1 << 20 else { return nil }
            var buffer = [UInt8](repeating: 0, count: 65536)
            let got = try? unsafe buffer.withUnsafeMutableBytes { buffer in
                try unsafe file.read(into: buffer)
            }
            isAtEnd = (got ?? 0) == 0
            held += buffer.prefix(got ?? 0)
        }
    }
}
