internal import Bytes

/// The bytes of a file, one after the other, through one buffer.
struct BufferedBytes {
    private let file: RowFile
    private var buffer: [UInt8]
    private var position = 0
    private var end = 0
    /// The offset of the buffer's end in the file.
    private var offset = 0
    /// The line of the next byte, from 1.
    private(set) var line = 1

    /// - Throws: ``RowFileError/utf16`` if the file begins with a byte order mark of UTF-16. One of
    ///   UTF-8 is skipped.
    init(_ file: RowFile, size: Int) throws(RowFileError) {
        self.file = file
        // Room for a byte order mark.
        buffer = [UInt8](repeating: 0, count: max(size, 3))
        while end < 3, try fill() > 0 {}
        guard let mark = ByteOrderMark(Array(buffer.prefix(end))) else { return }
        guard !mark.isUTF16 else { throw .utf16 }
        position = mark.bytes.count
    }

    /// The next byte; nil at the end of the file.
    mutating func next() throws(RowFileError) -> UInt8? {
        guard let byte = try peek() else { return nil }
        position += 1
        if byte == UInt8(ascii: "\n") { line += 1 }
        return byte
    }

    /// The next byte without consuming it.
    mutating func peek() throws(RowFileError) -> UInt8? {
        if position == end {
            (position, end) = (0, 0)
            guard try fill() > 0 else { return nil }
        }
        return buffer[position]
    }

    /// Appends the rest of the line, without its line feed, to `bytes`, but not more than makes it
    /// longer than `limit`.
    mutating func takeLine(into bytes: inout [UInt8], limit: Int) throws(RowFileError) {
        while let byte = try peek(), byte != UInt8(ascii: "\n") {
            let stop = buffer.span.firstIndex(of: UInt8(ascii: "\n"), in: position..<end) ?? end
            bytes += buffer[position..<stop].prefix(max(0, limit + 1 - bytes.count))
            position = stop
        }
    }

    /// Reads more behind the bytes in the buffer and returns the count; 0 at the end of the file.
    private mutating func fill() throws(RowFileError) -> Int {
        var failure: RowFileError?
        let (file, start, offset) = (file, end, offset)
        let got = unsafe buffer.withUnsafeMutableBytes { buffer -> Int in
            do throws(RowFileError) {
                return try unsafe file.read(
                    at: offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[start...]))
            } catch {
                failure = error
                return 0
            }
        }
        if let failure { throw failure }
        end += got
        self.offset += got
        return got
    }
}
