package import Platform

/// A source of bytes: octets or a file, both seekable, or a stream, which is read once.
package struct ByteSource: Sendable {
    private let storage: Storage

    private enum Storage: Sendable {
        case octets(SpooledBytes)
        case file(FileDescriptor, size: Int)
        /// `prefix` holds the bytes that were read to recognise the format.
        case stream(any ByteStream, prefix: [UInt8])
    }

    package init(_ octets: SpooledBytes) {
        storage = .octets(octets)
    }

    /// A regular file of `size` bytes. The caller closes it.
    package init(file descriptor: FileDescriptor, size: Int) {
        storage = .file(descriptor, size: size)
    }

    package init(stream: any ByteStream, prefix: [UInt8] = []) {
        storage = .stream(stream, prefix: prefix)
    }

    /// The size in bytes, if known.
    package var size: Int? {
        switch storage {
        case .octets(let octets): octets.count
        case .file(_, let size): size
        case .stream: nil
        }
    }

    var isSeekable: Bool {
        if case .stream = storage { return false }
        return true
    }

    /// Reads up to a buffer full at `offset` and returns the count; 0 at the end. A stream must be
    /// read in order.
    package func read(
        at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(FileError) -> Int {
        switch storage {
        case .octets(let octets):
            return try unsafe octets.read(at: offset, into: buffer)
        case .file(let descriptor, _):
            return try unsafe descriptor.read(at: offset, into: buffer)
        case .stream(let stream, let prefix):
            guard offset < prefix.count else { return try unsafe stream.read(into: buffer) }
            return try unsafe SpooledBytes(prefix).read(at: offset, into: buffer)
        }
    }

    /// The offset of the first byte at or after `offset` that is not in a hole of a sparse file; the
    /// size if there is none.
    package func data(from offset: Int) -> Int {
        switch storage {
        case .octets(let octets): octets.data(from: offset)
        case .file(let descriptor, let size):
            offset < size ? min(descriptor.data(from: offset) ?? size, size) : offset
        case .stream: offset
        }
    }

    /// Holes of a sparse file up to this size, in bytes, are read: they may be the zeros of a part
    /// that is not encoded. Longer ones may be larger than any disk.
    static let longestHole = 256 << 20

    /// Whether a hole that is too long to be read begins at `offset`, or contains it.
    package func isLongHole(at offset: Int) -> Bool {
        data(from: offset) - offset > ByteSource.longestHole
    }

    /// The offset at which to read on: after a hole at `offset` that is too long to be read.
    package func offset(pastHoleAt offset: Int) -> Int {
        let next = data(from: offset)
        return next - offset > ByteSource.longestHole ? next : offset
    }

    /// The first bytes, at most `count`.
    package func prefix(_ count: Int) throws(FileError) -> [UInt8] {
        try bytes(at: 0, count: count)
    }

    /// Up to `count` bytes at `offset`, fewer at the end. A stream ignores the offset and returns
    /// its next bytes.
    package func bytes(at offset: Int, count: Int) throws(FileError) -> [UInt8] {
        if case .octets(let octets) = storage {
            let start = min(max(offset, 0), octets.count)
            return try octets.array(start..<start + min(max(count, 0), octets.count - start))
        }
        var bytes: [UInt8] = []
        var got = 0
        var failure: FileError?
        var isAtEnd = false
        while got < count, !isAtEnd, failure == nil {
            // The space grows with the contents, since `count` may be a limit that few files reach.
            let space = min(count, max(64 << 10, 2 * got))
            bytes += repeatElement(0, count: space - bytes.count)
            unsafe bytes.withUnsafeMutableBytes { buffer in
                do throws(FileError) {
                    while got < space, !isAtEnd {
                        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[got...])
                        let more = try unsafe read(at: offset + got, into: rest)
                        got += more
                        isAtEnd = more == 0
                    }
                } catch {
                    failure = error
                }
            }
        }
        if let failure { throw failure }
        bytes.removeLast(bytes.count - got)
        return bytes
    }

    /// Copies all bytes; nil if there are more than `limit`, which the size of a file tells.
    package func octets(limit: Int, _ policy: SpoolPolicy) throws(FileError) -> SpooledBytes? {
        if let size, size > limit { return nil }
        var writer = OctetsWriter(policy)
        var reader = LineReader()
        reader.open(self, skipsHoles: false)
        var failure: FileError?
        while failure == nil, writer.count <= limit {
            let more = try reader.next { bytes, _ in
                do throws(FileError) {
                    try writer.append(bytes)
                } catch {
                    failure = error
                }
                return bytes.count
            }
            if !more { break }
        }
        if let failure { throw failure }
        return writer.count <= limit ? try writer.finish() : nil
    }
}
