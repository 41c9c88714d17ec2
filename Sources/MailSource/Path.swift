import Bytes
package import Glibc
import Platform

/// A file system path: bytes, not necessarily UTF-8.
package struct Path: Sendable, Hashable, CustomStringConvertible {
    /// Without the final NUL.
    package let bytes: [UInt8]

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes.contains(0) ? bytes.filter { $0 != 0 } : bytes
    }

    package init(_ text: String) {
        self.init(Array(text.utf8))
    }

    /// For display and records; invalid UTF-8 becomes U+FFFD.
    package var description: String { String(streamSafe: bytes) }

    /// The last component.
    package var name: String { String(streamSafe: nameBytes) }

    package var nameBytes: ArraySlice<UInt8> {
        let slash = UInt8(ascii: "/")
        let end = (bytes.lastIndex { $0 != slash } ?? -1) + 1
        let start = (bytes[..<end].lastIndex(of: slash) ?? -1) + 1
        return bytes[start..<end]
    }

    /// The path without its last component; empty if it has only one.
    package var parent: Path {
        var rest = bytes[..<nameBytes.startIndex]
        while rest.count > 1, rest.last == UInt8(ascii: "/") { rest.removeLast() }
        return Path(Array(rest))
    }

    package func appending(_ name: [UInt8]) -> Path {
        var path: [UInt8] = []
        path.reserveCapacity(bytes.count + 1 + name.count)
        path += bytes
        if let last = bytes.last, last != UInt8(ascii: "/") { path.append(UInt8(ascii: "/")) }
        path += name
        return Path(path)
    }

    /// The file's status; nil if it does not exist or is inaccessible.
    package func status(followsLinks: Bool) -> stat? {
        var status = stat()
        let code = unsafe withCString {
            unsafe fstatat(AT_FDCWD, $0, &status, followsLinks ? 0 : AT_SYMLINK_NOFOLLOW)
        }
        return code == 0 ? status : nil
    }

    package var isThere: Bool { status(followsLinks: true) != nil }

    package var isLink: Bool {
        status(followsLinks: false).map { $0.st_mode & S_IFMT == S_IFLNK } ?? false
    }

    /// Whether the file with this status is on a file system of the kernel: /proc, /sys, /dev. No
    /// mail is there, and reading some of these files has effects or never ends.
    package func isOfKernel(_ status: stat) -> Bool {
        if status.st_dev == Path.devices { return true }
        return unsafe withCString { unsafe KernelFileSystem(of: $0) } != nil
    }

    /// The file system mounted on /dev; devtmpfs has the magic number of tmpfs.
    private static let devices: dev_t? = {
        let device = Path("/dev").status(followsLinks: true)?.st_dev
        return device == Path("/").status(followsLinks: true)?.st_dev ? nil : device
    }()

    /// Removes the file, if it is there.
    package func removeFile() {
        _ = unsafe withCString { unsafe unlink($0) }
    }

    /// Whether a regular file is there, or a link to one.
    package var isRegularFile: Bool {
        status(followsLinks: true).map { $0.st_mode & S_IFMT == S_IFREG } ?? false
    }

    /// Calls `body` with the path as a C string.
    package func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: bytes.count + 1) { buffer in
            for index in bytes.indices { unsafe buffer[index] = CChar(bitPattern: bytes[index]) }
            unsafe buffer[bytes.count] = 0
            // The buffer is never empty, so it has an address.
            guard let base = buffer.baseAddress else { return unsafe body("") }
            return unsafe body(base)
        }
    }
}
