import CCrypto
import Glibc
package import Platform

/// A password, a PIN or a file with a key. The bytes are in memory of their own, which is kept out
/// of swap and core dumps where the system allows that, and are zeroed at the end of the value's
/// life. They never become text or an array here.
@safe package struct Secret: ~Copyable, Sendable {
    package let count: Int
    /// Whole pages, since the lock of a page does not count its owners. Only the initialiser writes
    /// to them, so that threads may share the value.
    private nonisolated(unsafe) let pages: UnsafeMutableRawBufferPointer

    /// Reads a file or a descriptor straight into the memory.
    ///
    /// - Parameters:
    ///   - capacity: The size of the memory in bytes.
    ///   - fill: Writes to the memory, which is zeroed, and returns the number of bytes from its
    ///     start that are the secret.
    /// - Throws: What `fill` throws; the memory is zeroed and freed then.
    package init<Failure>(
        capacity: Int, fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure) {
        let pages = unsafe newPages(for: capacity)
        let space = unsafe UnsafeMutableRawBufferPointer(rebasing: pages.prefix(max(0, capacity)))
        do throws(Failure) {
            count = try min(max(0, unsafe fill(space)), space.count)
            // What `fill` wrote besides, such as the end of a line. A zero follows the secret, as
            // functions in C need it.
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: pages.dropFirst(count))
            unsafe OPENSSL_cleanse(rest.baseAddress, rest.count)
        } catch {
            unsafe erase(pages)
            throw error
        }
        unsafe self.pages = unsafe pages
    }

    /// Copies the bytes. The array stays in memory, so that this is for tests and for text that
    /// exists anyway; ``init(capacity:fill:)`` leaves no copy.
    package init(_ bytes: [UInt8]) {
        unsafe self.init(capacity: bytes.count) { space in
            unsafe space.copyBytes(from: bytes)
            return bytes.count
        }
    }

    /// Reads a file to its end.
    ///
    /// - Parameter limit: In bytes; what follows is not read.
    package init(contentsOf file: FileDescriptor, limit: Int) throws(FileError) {
        unsafe self = try Secret(capacity: limit) { space throws(FileError) in
            var count = 0
            while count < space.count {
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: space[count...])
                let got = try unsafe file.read(into: rest)
                guard got > 0 else { break }
                count += got
            }
            return count
        }
    }

    /// Reads the first line of a file, without its end: a password. What follows is not read.
    package init(firstLineOf file: FileDescriptor) throws(FileError) {
        unsafe self = try Secret(capacity: 1024) { space throws(FileError) in
            var count = 0
            while count < space.count {
                let next = unsafe UnsafeMutableRawBufferPointer(rebasing: space[count...count])
                guard try unsafe file.read(into: next) == 1, unsafe space[count] != 0x0a else {
                    break
                }
                count += 1
            }
            return unsafe count > 0 && space[count - 1] == 0x0d ? count - 1 : count
        }
    }

    /// Writes the bytes to a file.
    package borrowing func write(to file: FileDescriptor) throws(FileError) {
        try unsafe withUnsafeBytes { bytes throws(FileError) in
            var rest = unsafe bytes[...]
            while unsafe !rest.isEmpty {
                let count = unsafe Glibc.write(
                    file.number, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                guard count >= 0 || errno == EINTR else { throw FileError(.write, errno) }
                unsafe rest = rest.dropFirst(max(0, count))
            }
        }
    }

    /// Whether both have the same bytes.
    package borrowing func isEqual(to other: borrowing Secret) -> Bool {
        guard count == other.count else { return false }
        return unsafe CRYPTO_memcmp(bytes.baseAddress, other.bytes.baseAddress, count) == 0
    }

    deinit { unsafe erase(pages) }

    /// - Parameter body: Must not keep the pointer.
    package borrowing func withUnsafeBytes<Result, Failure>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(bytes)
    }

    /// Valid as long as the value.
    var bytes: UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(rebasing: pages.prefix(count))
    }

    /// Valid as long as the value; nil for none.
    static func bytes(of secret: borrowing Secret?) -> UnsafeRawBufferPointer? {
        switch secret {
        case .some(let secret): unsafe secret.bytes
        case .none: nil
        }
    }
}

private func newPages(for count: Int) -> UnsafeMutableRawBufferPointer {
    let size = max(1, sysconf(CInt(_SC_PAGESIZE)))
    let pages = UnsafeMutableRawBufferPointer.allocate(
        byteCount: (max(0, count) / size + 1) * size, alignment: size)
    unsafe pages.initializeMemory(as: UInt8.self, repeating: 0)
    // Refused where RLIMIT_MEMLOCK is exhausted; then the secret may be swapped out.
    _ = unsafe mlock(pages.baseAddress, pages.count)
    _ = unsafe madvise(pages.baseAddress, pages.count, MADV_DONTDUMP)
    return unsafe pages
}

private func erase(_ pages: UnsafeMutableRawBufferPointer) {
    unsafe OPENSSL_cleanse(pages.baseAddress, pages.count)
    _ = unsafe munlock(pages.baseAddress, pages.count)
    _ = unsafe madvise(pages.baseAddress, pages.count, MADV_DODUMP)
    unsafe pages.deallocate()
}
