import Bytes
import Glibc

/// The names in a directory, in their order. A Maildir has a million: they lie in one piece of memory
/// and become paths one by one.
struct DirectoryNames {
    private var bytes: [UInt8] = []
    private var ranges: [Range<UInt32>] = []
    private var place = 0

    /// Reads a directory; `code` is the errno with which that ended early, or 0.
    init(of path: Path, followsLinks: Bool = true, code: inout CInt) {
        let flags = O_RDONLY | O_CLOEXEC | O_DIRECTORY | (followsLinks ? 0 : O_NOFOLLOW)
        let number = unsafe path.withCString { unsafe Glibc.open($0, flags) }
        guard number >= 0, let directory = unsafe fdopendir(number) else {
            code = errno
            if number >= 0 { close(number) }
            return
        }
        defer { unsafe closedir(directory) }
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
        let names = all.span
        ranges.sort { names.precedes(Range($0), Range($1)) }
    }

    func contains(_ name: String) -> Bool {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            let other = bytes[Range(ranges[middle])]
            if other.elementsEqual(name.utf8) { return true }
            let isBefore = other.lexicographicallyPrecedes(name.utf8)
            if isBefore { low = middle + 1 } else { high = middle }
        }
        return false
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
