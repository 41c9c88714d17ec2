import Bytes
import Platform

/// An entry as described by the central directory.
package struct ZipEntry: Sendable, Hashable {
    package let index: Int
    /// The name in the directory.
    private let firstName: [UInt8]
    /// The names in Unicode Path fields (Info-ZIP). An empty array takes no memory.
    private var otherNames: [[UInt8]] = []
    /// The index of the name that libzip uses.
    private var choice = 0
    /// The name as libzip decodes it from code page 437, if it is not UTF-8.
    private var guessedName: String?
    package let isSymbolicLink: Bool
    let declared: ZipDeclaration
    /// The offset of the local header in the archive proper.
    let offset: Int

    /// Long runs of combining marks are broken; passes with such names are refused (`unsafeName`).
    /// VIOLATIONS.md, Z4: UTF-8 without its flag.
    ///
    /// Computed on each access, to save memory in archives of a million entries.
    package var name: String {
        guessedName ?? String(validatingStreamSafe: rawName) ?? ""
    }

    /// In bytes, as declared.
    package var size: Int { declared.size }
    package var compressedSize: Int { declared.compressedSize }
    package var isEncrypted: Bool { declared.isEncrypted }

    package var rawName: [UInt8] { choice == 0 ? firstName : otherNames[choice - 1] }

    /// All names of the entry in the directory.
    var names: [[UInt8]] { [firstName] + otherNames }

    /// Selects the name that libzip uses: `isSpelled` compares a name with it, `guess` returns
    /// libzip's decoding if it is not UTF-8. False if libzip's name is not in the directory.
    mutating func chooseName(
        where isSpelled: ([UInt8]) -> Bool, guess: () -> String?
    ) -> Bool {
        guard let choice = names.firstIndex(where: isSpelled) else { return false }
        self.choice = choice
        if String(validating: rawName, as: UTF8.self) == nil { guessedName = guess()?.streamSafe }
        return true
    }

    /// A name that ends in a slash but has contents is a disguised file.
    package var isDirectory: Bool { rawName.last == UInt8(ascii: "/") && size == 0 }

    /// Why the name is unsafe: unpacking the entry could write outside of the folder, or to the
    /// same place as another entry. Nil if the name is safe.
    var unsafeName: ZipError.UnsafeName? {
        if rawName.isEmpty { return .empty }
        if names.contains(where: { StreamSafeText.hasLongRun($0.span) }) { return .marks }
        if rawName.contains(0) { return .nul }
        if rawName.contains(UInt8(ascii: "\\")) { return .backslash }
        if rawName.first == UInt8(ascii: "/") { return .absolute }
        let path = rawName.last == UInt8(ascii: "/") ? rawName.dropLast() : rawName[...]
        let components = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        for (depth, component) in components.enumerated() {
            if component.isEmpty || component.elementsEqual("..".utf8) { return .parent }
            // VIOLATIONS.md, P33: a leading `.`, as in `./pass.json`.
            if component.elementsEqual(".".utf8), depth > 0 { return .parent }
        }
        return nil
    }
}

/// The central directory. libzip exposes neither the offset of an entry nor the length of its name,
/// which are needed to detect overlapping entries and names that contain a NUL. Therefore this type
/// parses the directory itself, and ZipArchive compares the rest with libzip.
struct ZipDirectory {
    /// The archive proper, without the bytes before and after it.
    let range: Range<Int>
    let start: Int
    let entries: [ZipEntry]
    /// The largest size that a record declared, up to the one that was used.
    let size: Size

    /// The size of a directory, and where it was found.
    struct Size {
        fileprivate(set) var entries = 0
        fileprivate(set) var bytes = 0
        /// The distance of its record from the end of the file, in bytes.
        fileprivate(set) var distance = 0

        func check(_ limits: ZipLimits) throws(ZipError) {
            guard distance <= ZipDirectory.windows(limits).max() ?? 0 else { throw .notAnArchive }
            guard entries <= limits.entries else {
                throw .tooManyEntries(count: entries, limit: limits.entries)
            }
            guard bytes <= limits.directory else {
                throw .directoryTooLarge(limit: limits.directory)
            }
        }
    }

    /// Offsets in the archive proper of other bytes that look like an end-of-central-directory
    /// record.
    let decoys: [Int]

    init(of octets: SpooledBytes, limits: ZipLimits) throws(ZipError) {
        var largest = Size()
        for window in ZipDirectory.windows(limits) {
            let base = max(0, octets.count - window)
            let tail = LittleEndian(try octets.bytes(base..<octets.count))
            // Each attempt reads a whole directory, so their number and total size are limited.
            var looks = 32
            for place in tail.places(of: Self.endSignature).reversed() where looks > 0 {
                guard
                    let end = try EndRecord(
                        octets, tail, from: base, at: base + place, limits: limits,
                        looks: &looks, largest: &largest),
                    let entries = Self.entries(
                        LittleEndian(try octets.bytes(end.start..<end.start + end.size)),
                        count: end.count)
                else { continue }
                range = end.prefix..<end.end
                start = end.start - end.prefix
                self.entries = entries
                largest.distance = octets.count - base - place
                size = largest
                decoys = try Self.decoys(in: octets, range, besides: base + place)
                return
            }
            if base == 0 { break }
        }
        throw try Self.isCutOff(octets) ? .cutOff : .notAnArchive
    }

    /// Whether the octets begin with a local header and have no whole end record of their own: those
    /// of archives in them have other offsets.
    private static func isCutOff(_ octets: SpooledBytes) throws(ZipError) -> Bool {
        let head = LittleEndian(try octets.bytes(0..<min(4, octets.count)))
        guard head.four(0) == LocalHeader.signature else { return false }
        var isWhole = false
        var looks = 1000
        try octets.forEachPlace(of: endSignature, in: 0..<octets.count) { place throws(ZipError) in
            guard !isWhole, looks > 0 else { return }
            looks -= 1
            let record = LittleEndian(try octets.bytes(place..<min(place + 22, octets.count)))
            guard let size = record.four(12), let offset = record.four(16),
                let comment = record.two(20)
            else { return }
            isWhole =
                (size + offset == place || offset == 0xFFFF_FFFF)
                && place + 22 + comment <= octets.count
        }
        return !isWhole
    }

    /// The distances from the end of the file within which a record is searched, in bytes. The
    /// comment can be 64 KiB long. VIOLATIONS.md, Z2: a second, larger window covers other trailing
    /// data.
    private static func windows(_ limits: ZipLimits) -> [Int] {
        [66 << 10, max(limits.trailing, 0) + 22]
    }

    /// libzip searches its last 65,577 bytes for records, and reads the directory of each.
    private static func decoys(in octets: SpooledBytes, _ range: Range<Int>, besides end: Int)
        throws(ZipError) -> [Int]
    {
        let base = max(range.lowerBound, range.upperBound - 70_000)
        return LittleEndian(try octets.bytes(base..<range.upperBound)).places(of: endSignature)
            .filter { base + $0 != end }.map { base + $0 - range.lowerBound }
    }

    private static let endSignature = 0x0605_4b50

    private static func entries(_ bytes: LittleEndian, count: Int) -> [ZipEntry]? {
        var entries: [ZipEntry] = []
        // Bounded: the caller checked that `count` entries of 46 bytes fit.
        entries.reserveCapacity(count)
        var place = 0
        for index in 0..<count {
            guard bytes.four(place) == 0x0201_4b50, let flags = bytes.two(place + 8),
                let method = bytes.two(place + 10), let checksum = bytes.four(place + 16),
                let compressed = bytes.four(place + 20), let size = bytes.four(place + 24),
                let nameCount = bytes.two(place + 28),
                let extraCount = bytes.two(place + 30), let commentCount = bytes.two(place + 32),
                let attributes = bytes.four(place + 38), let offset = bytes.four(place + 42),
                let name = bytes.slice(place + 46, nameCount),
                let extra = bytes.slice(place + 46 + nameCount, extraCount).map(LittleEndian.init)
            else { return nil }
            var declared = ZipDeclaration(
                flags: flags, method: method, checksum: checksum, compressedSize: compressed,
                size: size)
            guard let offset = declared.takeLargeSizes(from: extra, offset: offset) else {
                return nil
            }
            entries.append(
                ZipEntry(
                    index: index, name: name, otherNames: extra.unicodePaths,
                    attributes: attributes, declared: declared, offset: offset))
            place += 46 + nameCount + extraCount + commentCount
        }
        return entries
    }
}

extension ZipEntry {
    fileprivate init(
        index: Int, name: [UInt8], otherNames: [[UInt8]], attributes: Int,
        declared: ZipDeclaration, offset: Int
    ) {
        self.index = index
        firstName = name
        self.otherNames = otherNames
        isSymbolicLink = attributes >> 16 & 0xf000 == 0xa000
        self.declared = declared
        self.offset = offset
    }
}

/// An end-of-central-directory record and its directory.
private struct EndRecord {
    let count: Int
    let size: Int
    /// The offset of the directory.
    let start: Int
    /// The number of bytes before the archive proper.
    let prefix: Int
    /// The end of the archive proper.
    let end: Int

    /// Nil if the bytes at `place` only look like a record. `tail` has the octets from `base` on:
    /// there may be a million such places, too many for a read each.
    init?(
        _ octets: SpooledBytes, _ tail: LittleEndian, from base: Int, at place: Int,
        limits: ZipLimits, looks: inout Int, largest: inout ZipDirectory.Size
    ) throws(ZipError) {
        let offsetInTail = place - base
        guard var count = tail.two(offsetInTail + 10), var size = tail.four(offsetInTail + 12),
            var offset = tail.four(offsetInTail + 16), let comment = tail.two(offsetInTail + 20),
            place + 22 + comment <= octets.count
        else { return nil }
        var directoryEnd = place
        // APPNOTE 4.3.15: the ZIP64 locator immediately precedes this record.
        if place >= 20 + 56 {
            var large = LittleEndian(tail.slice(offsetInTail - 76, 76) ?? [])
            if offsetInTail < 76 { large = LittleEndian(try octets.bytes(place - 76..<place)) }
            if large.four(56) == 0x0706_4b50 {
                guard large.four(0) == 0x0606_4b50, let largeCount = large.eight(32),
                    let largeSize = large.eight(40), let largeOffset = large.eight(48)
                else { return nil }
                (count, size, offset) = (largeCount, largeSize, largeOffset)
                directoryEnd = place - 76
            }
        }
        guard size <= directoryEnd, offset <= directoryEnd - size, count <= size / 46,
            count > 0 || size == 0
        else { return nil }
        looks -= 1 + size >> 25
        largest.entries = max(largest.entries, count)
        largest.bytes = max(largest.bytes, size)
        try largest.check(limits)
        // VIOLATIONS.md, Z1: if bytes precede the first local header, either the offsets count
        // them, or the directory ends immediately before its record. Z3: a gap between the two is
        // allowed.
        let late = directoryEnd - size
        let header = LittleEndian(try octets.bytes(late..<min(late + 4, directoryEnd)))
        prefix = count > 0 && header.four(0) == 0x0201_4b50 ? late - offset : 0
        start = offset + prefix
        end = place + 22 + comment
        (self.count, self.size) = (count, size)
    }
}

/// Bounds-checked little-endian numbers.
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

    /// The parts of an extra field (APPNOTE 4.5.1).
    var extraFields: [(kind: Int, place: Int, count: Int)] {
        var fields: [(kind: Int, place: Int, count: Int)] = []
        var place = 0
        while let kind = two(place), let count = two(place + 2) {
            fields.append((kind, place + 4, count))
            place += 4 + count
        }
        return fields
    }

    /// APPNOTE 4.6.9: version, checksum of the other name, name in UTF-8.
    var unicodePaths: [[UInt8]] {
        extraFields.filter { $0.kind == 0x7075 }.compactMap { slice($0.place + 5, $0.count - 5) }
    }

    /// The offsets of a four-byte number.
    func places(of number: Int) -> [Int] {
        let span = bytes.span
        guard span.count >= 4 else { return [] }
        // The last byte of a signature is rare in text, unlike the first one.
        let last = UInt8(truncatingIfNeeded: number >> 24)
        var places: [Int] = []
        var start = 3
        while let place = span.firstIndex(of: last, in: start..<span.count) {
            if four(place - 3) == number { places.append(place - 3) }
            start = place + 1
        }
        return places
    }

    /// Nil also for a number larger than any file size.
    private func number(_ place: Int, _ count: Int) -> Int? {
        guard place >= 0, place <= bytes.count, count <= bytes.count - place else { return nil }
        var value: UInt64 = 0
        for index in (place..<place + count).reversed() {
            value = value << 8 | UInt64(bytes[index])
        }
        return value < 1 << 48 ? Int(value) : nil
    }
}

extension SpooledBytes {
    /// Calls `body` with the offset of each occurrence of a four-byte number within a range.
    func forEachPlace(
        of number: Int, in range: Range<Int>, _ body: (Int) throws(ZipError) -> Void
    ) throws(ZipError) {
        var start = range.lowerBound
        while range.upperBound - start >= 4 {
            let end = min(start + 64 << 10, range.upperBound)
            for place in LittleEndian(try bytes(start..<end)).places(of: number) {
                try body(start + place)
            }
            // A number may be split between two pieces.
            start = end == range.upperBound ? end : offset(pastHoleAt: end - 3)
        }
    }

    func bytes(_ range: Range<Int>) throws(ZipError) -> [UInt8] {
        do throws(FileError) {
            return try array(range)
        } catch {
            throw .file(error)
        }
    }
}
