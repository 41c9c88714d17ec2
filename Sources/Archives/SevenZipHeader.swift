import Bytes
import Platform

/// The header of a 7z archive (7zFormat.txt of 7-Zip), which is examined before libarchive reads
/// it.
///
/// libarchive allocates dictionaries of up to 4 GiB, and 280 bytes for each file that the header
/// claims to describe; the header needs only one bit for a file.
struct SevenZipHeader {
    /// The memory of the most expensive decoder, in bytes.
    private var memory = 0
    private var isEncrypted = false
    /// The offset of the packed streams, and the size of the first one.
    private var packed = (offset: 0, size: 0)
    private var folders: [Folder] = []
    private var rest: ArraySlice<UInt8>

    /// Files that are compressed together.
    private struct Folder {
        var coders: [Coder] = []
        var outputs = 0
        var size = 0
        var hasChecksum = false
    }

    fileprivate struct Coder {
        let method: [UInt8]
        let properties: [UInt8]
    }

    private init(_ bytes: [UInt8]) { rest = bytes[...] }

    /// Throws if libarchive must not read the archive.
    static func check(
        _ source: ByteSource, _ limits: ArchiveLimits
    ) throws(ArchiveFailure) {
        let start = LittleEndian(try bytes(of: source, at: 0, count: size))
        guard let offset = start.eight(12), let count = start.eight(20), let whole = source.size,
            offset + count <= whole - size
        else { throw .archive(.truncated) }
        guard count > 0 else { return }
        guard count <= limits.directory else {
            throw .archive(.directoryTooLarge(limit: limits.directory))
        }
        var header = SevenZipHeader(try bytes(of: source, at: size + offset, count: count))
        if header.take(ifNext: .encodedHeader) {
            header = SevenZipHeader(try header.decoded(from: source, limits))
        }
        let files = try header.countFiles()
        guard !header.isEncrypted else { throw .encrypted }
        try header.checkMemory(limits)
        guard files <= limits.entries else {
            throw .archive(.tooManyEntries(count: files, limit: limits.entries))
        }
    }

    /// The size of the signature header, in bytes.
    private static let size = 32

    private static func bytes(
        of source: ByteSource, at offset: Int, count: Int
    ) throws(ArchiveFailure) -> [UInt8] {
        do throws(FileError) {
            return try source.bytes(at: offset, count: count)
        } catch {
            throw .file(error)
        }
    }

    private func checkMemory(_ limits: ArchiveLimits) throws(ArchiveFailure) {
        guard memory <= limits.memory else {
            throw .archive(.memoryTooLarge(limit: limits.memory))
        }
    }

    /// Decompresses the header. 7-Zip compresses it with LZMA.
    private mutating func decoded(
        from source: ByteSource, _ limits: ArchiveLimits
    ) throws(ArchiveFailure) -> [UInt8] {
        try readStreams()
        guard !isEncrypted else { throw .encrypted }
        try checkMemory(limits)
        guard let folder = folders.first, folders.count == 1, let coder = folder.coders.first,
            folder.coders.count == 1, packed.offset <= source.size ?? 0,
            packed.size <= source.size ?? 0
        else { throw SevenZipHeader.damaged }
        guard folder.size <= limits.directory else {
            throw .archive(.directoryTooLarge(limit: limits.directory))
        }
        let data = try SevenZipHeader.bytes(
            of: source, at: SevenZipHeader.size + packed.offset, count: packed.size)
        switch coder.method {
        case Method.copy: return data
        case Method.lzma:
            guard coder.properties.count == 5 else { throw SevenZipHeader.damaged }
            return try decompressed(data, coder.properties, size: folder.size)
        default: throw SevenZipHeader.damaged
        }
    }

    /// Decompresses with a header of LZMA alone, which libarchive accepts with usual sizes of a
    /// dictionary; a larger one than needed gives the same result.
    private func decompressed(
        _ data: [UInt8], _ properties: [UInt8], size: Int
    ) throws(ArchiveFailure) -> [UInt8] {
        let needed = LittleEndian(properties).four(1) ?? 0
        var dictionary = 1 << 16
        while dictionary < needed { dictionary <<= 1 }
        guard dictionary <= 1 << 26 else { throw .archive(.memoryTooLarge(limit: 1 << 26)) }
        let header =
            [properties[0]] + (0..<4).map { UInt8(truncatingIfNeeded: dictionary >> (8 * $0)) }
            + (0..<8).map { UInt8(truncatingIfNeeded: size >> (8 * $0)) }
        let stream = FilteredBytes(
            ByteSource(SpooledBytes(header + data)), .lzma, limits: ArchiveLimits())
        let bytes = try SevenZipHeader.bytes(of: ByteSource(stream: stream), at: 0, count: size)
        guard bytes.count == size else { throw SevenZipHeader.damaged }
        return bytes
    }

    /// Reads the header as far as the number of files.
    private mutating func countFiles() throws(ArchiveFailure) -> Int {
        guard take(ifNext: .header) else { throw SevenZipHeader.damaged }
        if take(ifNext: .properties) {
            while !take(ifNext: .end) {
                try skip(1)
                try skip(try number())
            }
        }
        if take(ifNext: .moreStreams) { try readStreams() }
        if take(ifNext: .streams) { try readStreams() }
        return take(ifNext: .files) ? try number() : 0
    }

    private mutating func readStreams() throws(ArchiveFailure) {
        folders = []
        if take(ifNext: .packed) { try readPacked() }
        if take(ifNext: .folders) { try readFolders() }
        if take(ifNext: .subStreams) { try readSubStreams() }
        guard take(ifNext: .end) else { throw SevenZipHeader.damaged }
    }

    private mutating func readPacked() throws(ArchiveFailure) {
        packed.offset = try number()
        let count = try number()
        if take(ifNext: .sizes) {
            for index in 0..<count {
                let size = try number()
                if index == 0 { packed.size = size }
            }
        }
        if take(ifNext: .checksums) { _ = try readChecksums(count) }
        guard take(ifNext: .end) else { throw SevenZipHeader.damaged }
    }

    private mutating func readFolders() throws(ArchiveFailure) {
        // A nonzero byte: the folders are in another stream, which no program writes.
        guard take(ifNext: .folder), case let count = try number(), take(ifNext: .end) else {
            throw SevenZipHeader.damaged
        }
        for _ in 0..<count { try readFolder() }
        guard take(ifNext: .unpackedSizes) else { throw SevenZipHeader.damaged }
        for index in folders.indices {
            for output in 0..<folders[index].outputs {
                let size = try number()
                if output == 0 { folders[index].size = size }
            }
        }
        if take(ifNext: .checksums) {
            for index in try readChecksums(folders.count) { folders[index].hasChecksum = true }
        }
        guard take(ifNext: .end) else { throw SevenZipHeader.damaged }
    }

    private mutating func readFolder() throws(ArchiveFailure) {
        var folder = Folder()
        var inputs = 0
        let count = try number()
        // 7-Zip allows as many.
        guard (1...32).contains(count) else { throw SevenZipHeader.damaged }
        for _ in 0..<count {
            let flags = try byte()
            let method = Array(try take(Int(flags & 0x0F)))
            let isComplex = flags & 0x10 != 0
            let (ins, outs) = isComplex ? (try number(), try number()) : (1, 1)
            let properties = flags & 0x20 != 0 ? Array(try take(try number())) : []
            guard ins <= 32, outs <= 32 else { throw SevenZipHeader.damaged }
            inputs += ins
            folder.outputs += outs
            folder.coders.append(Coder(method: method, properties: properties))
            if method == Method.aes { isEncrypted = true }
        }
        guard folder.outputs > 0, inputs >= folder.outputs - 1 else { throw SevenZipHeader.damaged }
        let pairs = folder.outputs - 1
        for _ in 0..<2 * pairs { _ = try number() }
        let packed = inputs - pairs
        if packed > 1 { for _ in 0..<packed { _ = try number() } }
        memory = max(memory, folder.coders.reduce(0) { $0 + $1.memory })
        folders.append(folder)
    }

    private mutating func readSubStreams() throws(ArchiveFailure) {
        var counts = folders.map { _ in 1 }
        if take(ifNext: .streamCounts) {
            for index in counts.indices { counts[index] = try number() }
        }
        if take(ifNext: .sizes) {
            for count in counts where count > 1 {
                for _ in 1..<count { _ = try number() }
            }
        }
        if take(ifNext: .checksums) {
            var unknown = 0
            for (folder, count) in zip(folders, counts) where count != 1 || !folder.hasChecksum {
                let (sum, overflow) = unknown.addingReportingOverflow(count)
                guard !overflow else { throw SevenZipHeader.damaged }
                unknown = sum
            }
            _ = try readChecksums(unknown)
        }
        guard take(ifNext: .end) else { throw SevenZipHeader.damaged }
    }

    /// Skips checksums; returns the indices of the items that have one.
    private mutating func readChecksums(_ count: Int) throws(ArchiveFailure) -> [Int] {
        // Each has at least a bit.
        guard count <= rest.count * 8 else { throw SevenZipHeader.damaged }
        var indices = Array(0..<count)
        if try byte() == 0 {
            let bits = try take((count + 7) / 8)
            indices.removeAll { bits[bits.startIndex + $0 / 8] & (0x80 >> UInt8($0 % 8)) == 0 }
        }
        try skip(indices.count * 4)
        return indices
    }

    private enum Property: UInt8 {
        case end = 0x00
        case header = 0x01
        case properties = 0x02
        case moreStreams = 0x03
        case streams = 0x04
        case files = 0x05
        case packed = 0x06
        case folders = 0x07
        case subStreams = 0x08
        case sizes = 0x09
        case checksums = 0x0A
        case folder = 0x0B
        case unpackedSizes = 0x0C
        case streamCounts = 0x0D
        case encodedHeader = 0x17
    }

    private static let damaged = ArchiveFailure.archive(.damaged(.sevenZip, reason: nil))

    private mutating func take(ifNext property: Property) -> Bool {
        guard rest.first == property.rawValue else { return false }
        rest = rest.dropFirst()
        return true
    }

    private mutating func byte() throws(ArchiveFailure) -> UInt8 {
        guard let byte = rest.popFirst() else { throw SevenZipHeader.damaged }
        return byte
    }

    private mutating func take(_ count: Int) throws(ArchiveFailure) -> ArraySlice<UInt8> {
        guard count <= rest.count else { throw SevenZipHeader.damaged }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    private mutating func skip(_ count: Int) throws(ArchiveFailure) { _ = try take(count) }

    /// A number of one to nine bytes: the leading ones of the first byte count the bytes after it.
    private mutating func number() throws(ArchiveFailure) -> Int {
        let first = try byte()
        let count = (~first).leadingZeroBitCount
        var value = 0
        for (index, byte) in try take(count).enumerated() {
            guard index < 7 || byte == 0 else { throw SevenZipHeader.damaged }
            value |= index < 7 ? Int(byte) << (8 * index) : 0
        }
        guard count < 7 else { return value }
        return value | Int(first & (0x7F >> UInt8(count))) << (8 * count)
    }
}

private enum Method {
    static let copy: [UInt8] = [0x00]
    static let lzma: [UInt8] = [0x03, 0x01, 0x01]
    static let lzma2: [UInt8] = [0x21]
    static let ppmd: [UInt8] = [0x03, 0x04, 0x01]
    static let aes: [UInt8] = [0x06, 0xF1, 0x07, 0x01]
}

extension SevenZipHeader.Coder {
    /// The memory for its dictionary or model, in bytes; those of other methods are small.
    fileprivate var memory: Int {
        switch method {
        case Method.lzma, Method.ppmd: return LittleEndian(properties).four(1) ?? 0
        case Method.lzma2:
            // Two bits of a mantissa and its exponent.
            let value = Int(properties.first ?? 0)
            return value >= 40 ? 0xFFFF_FFFF : (2 | value & 1) << (value / 2 + 11)
        default: return 0
        }
    }
}
