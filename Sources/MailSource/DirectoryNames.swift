import Glibc

/// The names in a directory, in their order. A Maildir has a million: they lie in one piece of memory
/// and become paths one by one.
struct DirectoryNames {
    private var bytes: [UInt8] = []
    private var ranges: [Range<UInt32>] = []
    private var place = 0

    /// Reads an open directory; `code` is the errno with which that ended early, or 0.
    init(_ directory: OpaquePointer, code: inout CInt) {
        while true {
            errno = 0
            guard let found = unsafe readdir(directory) else { break }
            let start = bytes.count
            unsafe withUnsafeBytes(of: &found.pointee.d_name) { name in
                unsafe bytes.append(contentsOf: name.prefix { $0 != 0 })
            }
            let name = bytes[start...]
            if name.elementsEqual([0x2E]) || name.elementsEqual([0x2E, 0x2E]) {
                bytes.removeSubrange(start...)
            } else {
                ranges.append(UInt32(clamping: start)..<UInt32(clamping: bytes.count))
            }
        }
        code = errno
        let all = bytes
        ranges.sort { all[Range($0)].lexicographicallyPrecedes(all[Range($1)]) }
    }

    func contains(_ name: String) -> Bool {
        ranges.contains { bytes[Range($0)].elementsEqual(name.utf8) }
    }

    mutating func next() -> [UInt8]? {
        guard place < ranges.count else { return nil }
        defer { place += 1 }
        return Array(bytes[Range(ranges[place])])
    }
}

extension Range<Int> {
    fileprivate init(_ range: Range<UInt32>) {
        self = Int(range.lowerBound)..<Int(range.upperBound)
    }
}
