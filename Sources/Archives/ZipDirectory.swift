import Bytes

/// One entry of an archive, as the central directory describes it.
package struct ZipEntry: Sendable, Hashable {
    package let index: Int
    package let rawName: [UInt8]
    /// UTF-8 where the name is that, else read as code page 437.
    package let name: String
    /// As declared, in bytes.
    package let size: Int
    package let compressedSize: Int
    package let isSymbolicLink: Bool
    package let isEncrypted: Bool
    let checksum: UInt32
    /// Of the local header, from the first byte of the archive proper.
    let offset: Int

    /// An entry that ends in a slash but carries bytes is a file that hides.
    package var isDirectory: Bool { rawName.last == UInt8(ascii: "/") && size == 0 }

    /// What is wrong with the name, if anything: such a name could be unpacked to another place than
    /// it says, or two of them to one place.
    var unsafeName: ZipError.UnsafeName? {
        if rawName.isEmpty { return .empty }
        if rawName.contains(0) { return .nul }
        if rawName.contains(UInt8(ascii: "\\")) { return .backslash }
        if rawName.first == UInt8(ascii: "/") { return .absolute }
        let path = rawName.last == UInt8(ascii: "/") ? rawName.dropLast() : rawName[...]
        let components = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        for (depth, component) in components.enumerated() {
            if component.isEmpty || component.elementsEqual("..".utf8) { return .parent }
            // `./pass.json` is what some tools write: a folder around everything.
            if component.elementsEqual(".".utf8), depth > 0 { return .parent }
        }
        return nil
    }
}

/// The central directory. libzip tells neither where an entry begins nor the length of its name,
/// which are what overlapping entries and names with a NUL are seen by; so this reads them, and
/// ZipArchive compares the rest with what libzip reads.
struct ZipDirectory {
    /// The archive proper, without the bytes before and after it.
    let range: Range<Int>
    let start: Int
    let records: [Record]

    struct Record {
        /// The name, and the one that Info-ZIP's Unicode Path field gives it, which libzip takes.
        var names: [[UInt8]]
        var flags: Int
        var checksum: UInt32
        var compressedSize: Int
        var size: Int
        var attributes: Int
        var offset: Int
    }

    init(of octets: Octets, limits: ZipLimits) throws(ZipError) {
        // The comment can be 64 KiB long. Whatever else follows the record (a footer that a mailing
        // list added, decoded with the attachment) makes a second, longer look necessary.
        for window in [66 << 10, limits.trailing + 22] where window >= 22 {
            let base = max(0, octets.count - window)
            let tail = try octets.bytes(base..<octets.count)
            var place = tail.count - 22
            while place >= 0 {
                if tail[place] == 0x50,
                    let found = try ZipDirectory(
                        octets, end: base + place, tail: tail, at: place, limits: limits)
                {
                    self = found
                    return
                }
                place -= 1
            }
            if base == 0 { break }
        }
        throw .notAnArchive
    }

    /// Reads the directory that the record at `place` speaks of; nil when there is no such record.
    private init?(_ octets: Octets, end: Int, tail: [UInt8], at place: Int, limits: ZipLimits)
        throws(ZipError)
    {
        let record = LittleEndian(tail)
        guard record.four(place) == 0x0605_4b50,
            var count = record.two(place + 10),
            var size = record.four(place + 12),
            var offset = record.four(place + 16),
            let comment = record.two(place + 20), end + 22 + comment <= octets.count
        else { return nil }
        var directoryEnd = end
        // APPNOTE 4.3.15: the locator of the ZIP64 record stands right before this one.
        if end >= 20 + 56 {
            let locator = LittleEndian(try octets.bytes(end - 20..<end))
            if locator.four(0) == 0x0706_4b50 {
                let large = LittleEndian(try octets.bytes(end - 76..<end - 20))
                guard large.four(0) == 0x0606_4b50, let largeCount = large.eight(32),
                    let largeSize = large.eight(40), let largeOffset = large.eight(48)
                else { return nil }
                (count, size, offset) = (largeCount, largeSize, largeOffset)
                directoryEnd = end - 76
            }
        }
        guard size <= directoryEnd, offset <= directoryEnd - size, count <= size / 46,
            count > 0 || size == 0
        else { return nil }
        guard count <= limits.entries else {
            throw .tooManyEntries(count: count, limit: limits.entries)
        }
        guard size <= limits.directory else { throw .directoryTooLarge(limit: limits.directory) }

        // Bytes before the first local header: either the offsets count them, or they do not.
        let counted = LittleEndian(try octets.bytes(offset..<min(offset + 4, directoryEnd)))
        let prefix =
            count == 0 || counted.four(0) == 0x0201_4b50 && offset + size == directoryEnd
            ? 0 : directoryEnd - size - offset
        start = directoryEnd - size - prefix
        range = prefix..<end + 22 + comment
        guard
            let records = Self.records(
                LittleEndian(try octets.bytes(directoryEnd - size..<directoryEnd)), count: count)
        else { return nil }
        self.records = records
    }

    private static func records(_ bytes: LittleEndian, count: Int) -> [Record]? {
        var records: [Record] = []
        var place = 0
        for _ in 0..<count {
            guard bytes.four(place) == 0x0201_4b50, let flags = bytes.two(place + 8),
                let checksum = bytes.four(place + 16), let compressed = bytes.four(place + 20),
                let size = bytes.four(place + 24), let nameCount = bytes.two(place + 28),
                let extraCount = bytes.two(place + 30), let commentCount = bytes.two(place + 32),
                let attributes = bytes.four(place + 38), let offset = bytes.four(place + 42),
                let name = bytes.slice(place + 46, nameCount),
                let extra = bytes.slice(place + 46 + nameCount, extraCount)
            else { return nil }
            var record = Record(
                names: [name], flags: flags, checksum: UInt32(truncatingIfNeeded: checksum),
                compressedSize: compressed, size: size, attributes: attributes, offset: offset)
            guard record.take(extra: LittleEndian(extra)) else { return nil }
            records.append(record)
            place += 46 + nameCount + extraCount + commentCount
        }
        return records
    }
}

extension ZipDirectory.Record {
    fileprivate mutating func take(extra: LittleEndian) -> Bool {
        var place = 0
        while let kind = extra.two(place), let count = extra.two(place + 2) {
            place += 4
            switch kind {
            case 0x0001:
                guard takeLargeSizes(from: extra, at: place) else { return false }
            case 0x7075:
                // APPNOTE 4.6.9: a version, the checksum of the other name, the name in UTF-8.
                if let name = extra.slice(place + 5, count - 5) { names.append(name) }
            default: break
            }
            place += count
        }
        return true
    }

    /// APPNOTE 4.5.3: the ZIP64 extra field holds, in this order, the sizes that did not fit.
    private mutating func takeLargeSizes(from extra: LittleEndian, at place: Int) -> Bool {
        var place = place
        for path in [\Self.size, \.compressedSize, \.offset]
        where self[keyPath: path] == 0xffff_ffff {
            guard let value = extra.eight(place) else { return false }
            self[keyPath: path] = value
            place += 8
        }
        return true
    }
}

/// Numbers in bytes that may end too early.
struct LittleEndian {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    func two(_ place: Int) -> Int? { number(place, 2) }
    func four(_ place: Int) -> Int? { number(place, 4) }
    func eight(_ place: Int) -> Int? { number(place, 8) }

    func slice(_ place: Int, _ count: Int) -> [UInt8]? {
        guard place >= 0, count >= 0, place <= bytes.count, count <= bytes.count - place else {
            return nil
        }
        return Array(bytes[place..<place + count])
    }

    /// Nil also for a number that no file can be as large as.
    private func number(_ place: Int, _ count: Int) -> Int? {
        guard place >= 0, place <= bytes.count, count <= bytes.count - place else { return nil }
        var value: UInt64 = 0
        for index in (place..<place + count).reversed() {
            value = value << 8 | UInt64(bytes[index])
        }
        return value < 1 << 48 ? Int(value) : nil
    }
}

extension Octets {
    func bytes(_ range: Range<Int>) throws(ZipError) -> [UInt8] {
        do throws(FileError) {
            return try array(range)
        } catch {
            throw .file(error)
        }
    }
}
