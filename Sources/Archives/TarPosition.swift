import Bytes
import Platform

/// The state of reading a tar archive.
struct TarPosition: Sendable {
    private let source: ByteSource
    private let limits: ArchiveLimits
    /// The number of archive bytes read.
    private var offset = 0
    /// The bytes left of the current body and of its padding.
    private var rest = 0
    private var padding = 0
    private var number = 0
    private var attributes: TarAttributes?
    /// The names of symbolic links that were skipped.
    private var links: [String] = []
    /// The map of the current file, if it is sparse, and the number of bytes in its holes so far.
    private var sparse: SparseMap?
    private var holes = 0
    private var problem: ArchiveError?
    /// Whether the last block was invalid; it was then reported.
    private var isLost = false
    private var isOver = false

    /// The number of links that are held at once.
    private static let heldLinks = 1000

    init(_ source: ByteSource, _ limits: ArchiveLimits) {
        self.source = source
        self.limits = limits
    }

    mutating func next() throws(FileError) -> FoundEntry? {
        if let problem = problem.take() { return .problem(problem) }
        while !isOver {
            guard try skipBody() else { return end(.truncated) }
            let start = offset
            let block = try read(TarHeader.size)
            // VIOLATIONS.md, Z5: zero blocks end an archive, but another may follow, and they may
            // be missing.
            let isZero = block.allSatisfy { $0 == 0 }
            guard block.count == TarHeader.size else {
                return end(isZero && attributes == nil ? nil : .truncated)
            }
            if isZero {
                let next = source.offset(pastHoleAt: offset)
                offset = next - (next - offset) % TarHeader.size
                continue
            }
            guard let header = TarHeader(block.span) else {
                attributes = nil
                if isLost { continue }
                isLost = true
                return .problem(.damagedHeader(offset: start))
            }
            isLost = false
            if let found = try take(header, at: start) { return found }
        }
        return nil
    }

    /// Reads from the body of a file; 0 at its end, or if it is no longer the current one.
    mutating func read(
        _ number: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(FileError) -> Int {
        guard number == self.number, buffer.count > 0 else { return 0 }
        var count = min(rest, buffer.count)
        if let sparse {
            guard let piece = sparse.piece else { return 0 }
            count = min(piece.count, buffer.count)
            if piece.isHole { return unsafe readHole(into: buffer, count) }
            count = min(count, rest)
        }
        guard count > 0 else { return 0 }
        let room = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
        let got = try unsafe source.read(at: offset, into: room)
        offset += got
        rest -= got
        sparse?.advance(by: got)
        return got
    }

    mutating func takeLinks() -> [String] {
        defer { links = [] }
        return links
    }

    /// A few bytes can declare holes of any size, so the limits of compressed data apply.
    private mutating func readHole(into buffer: UnsafeMutableRawBufferPointer, _ count: Int) -> Int
    {
        holes += count
        if holes > limits.total {
            problem = .totalTooLarge(limit: limits.total)
        } else if holes > limits.ratioFloor, holes / max(offset, 1) >= limits.ratio {
            problem = .ratioTooHigh(limit: limits.ratio)
        }
        guard problem == nil else {
            number += 1
            return 0
        }
        unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]).initializeMemory(
            as: UInt8.self, repeating: 0)
        sparse?.advance(by: count)
        return count
    }

    private mutating func take(_ header: TarHeader, at start: Int) throws(FileError) -> FoundEntry?
    {
        openBody(header.bodySize)
        switch header.type {
        case UInt8(ascii: "x"), UInt8(ascii: "X"), UInt8(ascii: "L"):
            return try takeAttributes(header, at: start)
        case UInt8(ascii: "g"), UInt8(ascii: "K"):
            // Global attributes and long link names do not affect a file's contents.
            return nil
        case UInt8(ascii: "1")...UInt8(ascii: "6"), UInt8(ascii: "V"):
            // Links, devices, directories and volume labels have no body, whatever their size.
            if header.type == UInt8(ascii: "2") {
                links.append(String(streamSafe: attributes?.name ?? header.name))
            }
            openBody(0)
            attributes = nil
            return links.count < TarPosition.heldLinks ? nil : .links
        default:
            return try takeFile(header)
        }
    }

    private mutating func takeAttributes(
        _ header: TarHeader, at start: Int
    ) throws(FileError) -> FoundEntry? {
        guard header.bodySize <= limits.attributes else {
            return .problem(.attributesTooLarge(offset: start, limit: limits.attributes))
        }
        let body = try read(header.bodySize)
        rest -= body.count
        guard rest == 0 else { return end(.truncated) }
        var attributes = attributes ?? TarAttributes()
        var isWell = true
        if header.type == UInt8(ascii: "L") {
            attributes.take(longName: body)
        } else {
            isWell = attributes.take(records: body)
        }
        self.attributes = attributes
        return isWell ? nil : .problem(.damagedAttributes(offset: start))
    }

    private mutating func takeFile(_ header: TarHeader) throws(FileError) -> FoundEntry? {
        let attributes = self.attributes ?? TarAttributes()
        self.attributes = nil
        let bytes = attributes.name ?? header.name
        let name = String(streamSafe: bytes)
        let size = attributes.size ?? header.bodySize
        switch header.type {
        case UInt8(ascii: "0"), UInt8(ascii: "7"), 0:
            openBody(size)
            // Before ustar, a directory was a file whose name ends in a slash.
            if bytes.last == UInt8(ascii: "/") { return nil }
            if attributes.isSparse {
                let map =
                    attributes.isSparseMapInBody ? try readSparseMap() : attributes.sparseMap
                return openSparse(name, map, size: attributes.sparseSize)
            }
            return .file(name: name, size: size, number: number)
        case UInt8(ascii: "S"):
            openBody(size)
            var map = header.sparseMap
            var hasMore = header.hasMoreSparseMap
            while hasMore {
                let block = try read(TarHeader.size)
                guard let more = TarHeader.moreSparseMap(block.span) else {
                    return end(.truncated)
                }
                if map.count < limits.attributes / 8 { map += more.map }
                hasMore = more.hasMore
            }
            return openSparse(name, map, size: header.sparseSize)
        case UInt8(ascii: "D"):
            // A GNU tar directory listing.
            return nil
        default:
            return .problem(.unknownType(name: name, type: header.type))
        }
    }

    /// Opens a sparse file, unless its map is invalid.
    private mutating func openSparse(_ name: String, _ map: [Int]?, size: Int?) -> FoundEntry {
        guard let map, let size, let sparse = SparseMap(map, size: size, stored: rest) else {
            return .problem(.sparse(name: name))
        }
        self.sparse = sparse
        return .file(name: name, size: size, number: number)
    }

    /// The map at the beginning of a body: lines with the number of runs, and the offset and the
    /// length of each, padded with NULs to whole blocks; nil if it is invalid.
    private mutating func readSparseMap() throws(FileError) -> [Int]? {
        var numbers: [Int] = []
        var digits: [UInt8] = []
        while true {
            let block = try read(min(TarHeader.size, rest))
            rest -= block.count
            guard block.count == TarHeader.size else { return nil }
            for byte in block {
                guard byte == 0x0A else {
                    digits.append(byte)
                    guard digits.count <= 20 else { return nil }
                    continue
                }
                guard let number = decimal(digits[...]) else { return nil }
                digits = []
                numbers.append(number)
                guard let runs = numbers.first, runs <= limits.attributes / 8 else { return nil }
                if numbers.count == 1 + 2 * runs { return Array(numbers.dropFirst()) }
            }
        }
    }

    private mutating func openBody(_ size: Int) {
        number += 1
        (sparse, holes) = (nil, 0)
        rest = size
        padding = (TarHeader.size - size % TarHeader.size) % TarHeader.size
    }

    /// Skips the rest of the body; returns whether the archive continues after it.
    private mutating func skipBody() throws(FileError) -> Bool {
        var count = rest + padding
        (rest, padding) = (0, 0)
        if let size = source.size {
            offset += count
            return offset <= size
        }
        while count > 0 {
            let skipped = try read(min(count, 64 << 10)).count
            if skipped == 0 { return false }
            count -= skipped
        }
        return true
    }

    /// Reads the next bytes: fewer than `count` at the end of the source.
    private mutating func read(_ count: Int) throws(FileError) -> [UInt8] {
        let bytes = try source.bytes(at: offset, count: count)
        offset += bytes.count
        return bytes
    }

    private mutating func end(_ error: ArchiveError?) -> FoundEntry? {
        isOver = true
        (rest, padding) = (0, 0)
        return error.map { .problem($0) }
    }
}
