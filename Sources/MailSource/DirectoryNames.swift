import Bytes
import Glibc
package import Platform

/// The sorted names in a directory. A Maildir may have a million, so they share one buffer and
/// become paths one by one.
package struct DirectoryNames {
    /// The type of the last name returned, as the file system states it.
    package private(set) var type = EntryType.unknown

    private var bytes: [UInt8] = []
    private var names: [Name] = []
    private var place = 0

    private struct Name {
        let start: UInt32
        let count: UInt16
        let type: EntryType
        /// The sort key, if it differs from those of other names.
        var key: UInt64 = 0

        var range: Range<Int> { Int(start)..<Int(start) + Int(count) }
    }

    /// Reads a directory; `code` is the errno of an early end, or 0.
    package init(of path: Path, followsLinks: Bool = true, code: inout CInt) {
        let flags = O_RDONLY | O_CLOEXEC | O_DIRECTORY | (followsLinks ? 0 : O_NOFOLLOW)
        let number = unsafe path.withCString { unsafe Glibc.open($0, flags) }
        guard number >= 0 else {
            code = errno
            return
        }
        let folder = FileDescriptor(number)
        defer { folder.close() }
        do throws(FileError) {
            try folder.forEachEntry { name, type in
                names.append(
                    Name(
                        start: UInt32(clamping: bytes.count), count: UInt16(clamping: name.count),
                        type: type))
                unsafe name.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
            }
            code = 0
        } catch {
            code = error.code
        }
        sort()
    }

    /// Names in a Maildir share a long prefix: the eight bytes after it usually decide the order.
    private mutating func sort() {
        guard let first = names.first else { return }
        let all = bytes
        let span = all.span
        var shared = Int(first.count)
        for name in names {
            shared = min(shared, Int(name.count))
            let start = name.range.lowerBound
            var index = 0
            while index < shared, span[start + index] == span[first.range.lowerBound + index] {
                index += 1
            }
            shared = index
        }
        for place in names.indices {
            // Names contain no NUL: a name that ends here sorts before longer ones.
            let range = names[place].range.dropFirst(shared)
            var key: UInt64 = 0
            for index in 0..<8 {
                key = key << 8 | (index < range.count ? UInt64(span[range.lowerBound + index]) : 0)
            }
            names[place].key = key
        }
        names.sort {
            $0.key == $1.key ? span.precedes($0.range, $1.range) : $0.key < $1.key
        }
    }

    package func contains(_ name: String) -> Bool {
        var low = 0
        var high = names.count
        while low < high {
            let middle = (low + high) / 2
            let other = bytes[names[middle].range]
            if other.elementsEqual(name.utf8) { return true }
            let isBefore = other.lexicographicallyPrecedes(name.utf8)
            if isBefore { low = middle + 1 } else { high = middle }
        }
        return false
    }

    /// Whether these files of a folder are a pass that was unpacked. macOS stores passes so, as
    /// `~/Library/Passes/Cards/NAME.pkpass/`. Without that name, a signature is asked for, because
    /// web applications have a manifest.json, too.
    package func areUnpackedPass(in folder: Path) -> Bool {
        contains("pass.json") && contains("manifest.json")
            && (contains("signature") || folder.nameBytes.suffix(7).elementsEqual(".pkpass".utf8))
    }

    package mutating func next() -> [UInt8]? {
        guard place < names.count else { return nil }
        defer { place += 1 }
        type = names[place].type
        return Array(bytes[names[place].range])
    }
}
