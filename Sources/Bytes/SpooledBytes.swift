import Glibc
package import Platform

/// An immutable sequence of octets: in memory while small, otherwise in an unlinked temporary file,
/// so that memory use does not grow with the size of attachments.
///
/// No other process can change the octets between verification and storage. (A file read twice
/// could change in between.)
package struct SpooledBytes: Sendable {
    package let count: Int
    private let storage: Storage

    private enum Storage: Sendable {
        case memory([UInt8])
        case file(OpenFile, start: Int)
    }

    package init(_ bytes: [UInt8]) {
        count = bytes.count
        storage = .memory(bytes)
    }

    /// The bytes of an open file that other processes may change: for inspection, not for storage.
    /// The file is closed with the last reference to it.
    package init(lookingInto descriptor: FileDescriptor, size: Int) {
        count = size
        storage = .file(OpenFile(descriptor, mayChange: true), start: 0)
    }

    fileprivate init(_ file: OpenFile, start: Int, count: Int) {
        self.count = count
        storage = .file(file, start: start)
    }

    package var isEmpty: Bool { count == 0 }

    /// Whether other processes may change the octets.
    package var mayChange: Bool {
        if case .file(let file, _) = storage { file.mayChange } else { false }
    }

    /// Whether both are in memory and have the same octets.
    package func isCopy(of other: SpooledBytes) -> Bool {
        guard case .memory(let bytes) = storage, case .memory(let others) = other.storage else {
            return false
        }
        return bytes == others
    }

    /// The octets of a range; a file's octets are not copied.
    package func slice(_ range: Range<Int>) -> SpooledBytes {
        let range = range.clamped(to: 0..<count)
        switch storage {
        case .memory(let bytes):
            return range == 0..<count ? self : SpooledBytes(Array(bytes[range]))
        case .file(let file, let start):
            return SpooledBytes(file, start: start + range.lowerBound, count: range.count)
        }
    }

    /// Copies octets from `offset` into `buffer` and returns their number.
    package func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(FileError)
        -> Int
    {
        guard offset >= 0, offset < count else { return 0 }
        let wanted = min(buffer.count, count - offset)
        guard wanted > 0 else { return 0 }
        switch storage {
        case .memory(let bytes):
            unsafe bytes.withUnsafeBytes { source in
                unsafe buffer.copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: source[offset..<offset + wanted]))
            }
            return wanted
        case .file(let file, let start):
            let slice = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted])
            return try unsafe file.descriptor.read(at: start + offset, into: slice)
        }
    }

    /// The offset of the first octet at or after `offset` that is not in a hole of a sparse file.
    func data(from offset: Int) -> Int {
        guard case .file(let file, let start) = storage, offset < count else { return offset }
        return min((file.descriptor.data(from: start + offset) ?? start + count) - start, count)
    }

    /// The offset at which to read on: after a hole at `offset` that is too long to be read.
    package func offset(pastHoleAt offset: Int) -> Int {
        let next = data(from: offset)
        return next - offset > ByteSource.longestHole ? next : offset
    }

    /// The octets of a range as an array; the caller limits the size of the range.
    package func array(_ range: Range<Int>) throws(FileError) -> [UInt8] {
        let range = range.clamped(to: 0..<count)
        if case .memory(let bytes) = storage {
            return range == 0..<count ? bytes : Array(bytes[range])
        }
        var failure: FileError?
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: range.count) { buffer, filled in
            filled = 0
            do throws(FileError) {
                while filled < range.count {
                    let rest = unsafe UnsafeMutableRawBufferPointer(
                        UnsafeMutableBufferPointer(rebasing: buffer[filled...]))
                    let got = try unsafe read(at: range.lowerBound + filled, into: rest)
                    guard got > 0 else { break }
                    filled += got
                }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// All octets as an array; the caller has checked their count.
    package func array() throws(FileError) -> [UInt8] {
        try array(0..<count)
    }

    /// Calls `body` with pieces of at most `size` octets, in order, until it returns false.
    ///
    /// - Parameter skipsHoles: Whether long holes of a sparse file are left out.
    package func forEachPiece(
        of size: Int = 256 << 10, skipsHoles: Bool = false,
        _ body: (Span<UInt8>) throws(FileError) -> Bool
    ) throws(FileError) {
        if case .memory(let bytes) = storage {
            _ = try body(bytes.span)
            return
        }
        var offset = 0
        while offset < count {
            let piece = try array(offset..<min(offset + size, count))
            guard !piece.isEmpty, try body(piece.span) else { return }
            offset += piece.count
            if skipsHoles { offset = self.offset(pastHoleAt: offset) }
        }
    }
}

/// Collects octets, and moves them to an unlinked file once they exceed the memory limit.
package struct OctetsWriter: ~Copyable {
    private var memory: [UInt8] = []
    private var file: OpenFile?
    private var fileCount = 0
    private let policy: SpoolPolicy

    package init(_ policy: SpoolPolicy = SpoolPolicy()) {
        self.policy = policy
    }

    package var count: Int { fileCount + memory.count }

    package mutating func append(_ bytes: Span<UInt8>) throws(FileError) {
        unsafe bytes.withUnsafeBufferPointer { unsafe memory.append(contentsOf: $0) }
        if memory.count > policy.memory { try spill() }
    }

    package mutating func append(_ bytes: [UInt8]) throws(FileError) {
        memory += bytes
        if memory.count > policy.memory { try spill() }
    }

    package mutating func append(_ byte: UInt8) throws(FileError) {
        memory.append(byte)
        if memory.count > policy.memory { try spill() }
    }

    package consuming func finish() throws(FileError) -> SpooledBytes {
        guard file != nil else { return SpooledBytes(memory) }
        try spill()
        guard let file else { return SpooledBytes(memory) }
        return SpooledBytes(file, start: 0, count: fileCount)
    }

    private mutating func spill() throws(FileError) {
        if file == nil { file = try OpenFile(in: policy.directories) }
        guard let file, !memory.isEmpty else { return }
        try file.descriptor.writeAll(memory.span)
        fileCount += memory.count
        memory.removeAll(keepingCapacity: true)
    }
}

/// The memory that octets may take before they move to a file, and the folders for the file.
package struct SpoolPolicy: Sendable {
    /// In bytes.
    package var memory: Int
    /// Tried in order: the first that can hold an unlinked file is used.
    package var directories: [String]

    package init(memory: Int = 1 << 20, directories: [String] = ["/var/tmp", "/tmp"]) {
        self.memory = memory
        self.directories = directories
    }
}

/// A file that is closed with its last reference.
private final class OpenFile: Sendable {
    let descriptor: FileDescriptor
    /// Whether other processes may change it.
    let mayChange: Bool

    init(_ descriptor: FileDescriptor, mayChange: Bool) {
        self.descriptor = descriptor
        self.mayChange = mayChange
    }

    /// A temporary file without a name: deleted when closed, also when the process ends.
    init(in directories: [String]) throws(FileError) {
        descriptor = try FileDescriptor.temporary(inOneOf: directories)
        mayChange = false
    }

    deinit { descriptor.close() }
}
