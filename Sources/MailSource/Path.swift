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
    package var name: String {
        let last = bytes.split(separator: UInt8(ascii: "/")).last ?? []
        return String(decoding: last, as: UTF8.self)
    }

    package func appending(_ name: [UInt8]) -> Path {
        if bytes.last == UInt8(ascii: "/") { return Path(bytes + name) }
        return Path(bytes + [UInt8(ascii: "/")] + name)
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
