import Glibc

/// A path of the system: bytes, which need not be text.
package struct Path: Sendable, Hashable, CustomStringConvertible {
    /// Without the final NUL.
    package let bytes: [UInt8]

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes.filter { $0 != 0 }
    }

    package init(_ text: String) {
        self.init(Array(text.utf8))
    }

    /// For people and records; bytes that are no UTF-8 become U+FFFD.
    package var description: String { String(decoding: bytes, as: UTF8.self) }

    /// The last component.
    package var name: String { String(decoding: nameBytes, as: UTF8.self) }

    var nameBytes: ArraySlice<UInt8> {
        let slash = UInt8(ascii: "/")
        let end = (bytes.lastIndex { $0 != slash } ?? -1) + 1
        let start = (bytes[..<end].lastIndex(of: slash) ?? -1) + 1
        return bytes[start..<end]
    }

    /// The path without its last component; empty where it has only one.
    var parent: Path {
        var rest = bytes[..<nameBytes.startIndex]
        while rest.count > 1, rest.last == UInt8(ascii: "/") { rest.removeLast() }
        return Path(Array(rest))
    }

    package func appending(_ name: [UInt8]) -> Path {
        if bytes.isEmpty { return Path(name) }
        if bytes.last == UInt8(ascii: "/") { return Path(bytes + name) }
        return Path(bytes + [UInt8(ascii: "/")] + name)
    }

    /// What the system says of the file; nil for one that is not there, or not to be seen.
    func status(followsLinks: Bool) -> stat? {
        var status = stat()
        let code = unsafe withCString {
            unsafe fstatat(AT_FDCWD, $0, &status, followsLinks ? 0 : AT_SYMLINK_NOFOLLOW)
        }
        return code == 0 ? status : nil
    }

    var isLink: Bool {
        status(followsLinks: false).map { $0.st_mode & S_IFMT == S_IFLNK } ?? false
    }

    /// Calls `body` with the path as C wants it.
    package func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        let terminated = bytes.map { CChar(bitPattern: $0) } + [0]
        return unsafe terminated.withUnsafeBufferPointer { buffer in
            // The array holds at least its final NUL, so that its buffer has an address.
            guard let base = buffer.baseAddress else { return unsafe body("") }
            return unsafe body(base)
        }
    }
}
