/// Where bytes come from: octets or a file, which can be read anywhere, or a stream, which comes once.
package struct ByteSource: Sendable {
    private let storage: Storage

    private enum Storage: Sendable {
        case octets(SpooledBytes)
        case file(FileDescriptor, size: Int)
        /// With the bytes that were read to see what it is.
        case stream(any ByteStream, prefix: [UInt8])
    }

    package init(_ octets: SpooledBytes) {
        storage = .octets(octets)
    }

    /// A regular file and its size in bytes; the caller closes it.
    package init(file descriptor: FileDescriptor, size: Int) {
        storage = .file(descriptor, size: size)
    }

    package init(stream: any ByteStream, prefix: [UInt8] = []) {
        storage = .stream(stream, prefix: prefix)
    }

    /// The size in bytes, where it is known.
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

    /// Reads what there is at a place, at most a buffer full; 0 at the end. A stream is read from
    /// front to back.
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

    /// The first bytes, at most `count`.
    package func prefix(_ count: Int) throws(FileError) -> [UInt8] {
        try bytes(at: 0, count: count)
    }

    /// The bytes from a place on: `count` of them, fewer at the end. Of a stream they are the next.
    package func bytes(at offset: Int, count: Int) throws(FileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var got = 0
        var failure: FileError?
        unsafe bytes.withUnsafeMutableBytes { buffer in
            do throws(FileError) {
                while got < count {
                    let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[got...])
                    let more = try unsafe read(at: offset + got, into: rest)
                    if more == 0 { break }
                    got += more
                }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        bytes.removeLast(count - got)
        return bytes
    }

    /// All bytes as octets of our own, or nil if there are more than `limit`.
    package func octets(limit: Int, _ policy: SpoolPolicy) throws(FileError) -> SpooledBytes? {
        var writer = OctetsWriter(policy)
        var reader = LineReader()
        reader.open(self)
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
