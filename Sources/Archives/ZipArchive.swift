package import Bytes
import CZip
import Platform

/// A read-only ZIP archive, closed when it goes out of scope.
///
/// Opening does not check entry names; call `refuseUnsafe` for that.
@safe package struct ZipArchive: ~Copyable {
    package let entries: [ZipEntry]
    /// The number of bytes before the archive proper, which its offsets do not count.
    package let leadingCount: Int
    /// The number of bytes after the archive proper.
    package let trailingCount: Int
    private let handle: OpaquePointer
    private let source: ZipSource
    /// The bytes of the archive proper.
    let octets: SpooledBytes
    /// The offset of the central directory in `octets`.
    let directoryStart: Int
    private let limits: ZipLimits
    private let inflated = Inflated()

    package init(_ octets: SpooledBytes, limits: ZipLimits = ZipLimits()) throws(ZipError) {
        guard octets.count <= limits.archive else {
            throw .archiveTooLarge(limit: limits.archive)
        }
        let directory = try ZipDirectory(of: octets, limits: limits)
        // libzip gets only the archive proper, so that surrounding bytes cannot mislead it.
        let proper = octets.slice(directory.range)
        let source = ZipSource(proper, hiding: directory.decoys)
        let handle = try unsafe source.open()
        do throws(ZipError) {
            entries = try unsafe Self.verified(directory.entries, handle)
        } catch {
            unsafe zip_discard(handle)
            throw error
        }
        unsafe self.handle = unsafe handle
        self.source = source
        self.octets = proper
        self.limits = limits
        leadingCount = directory.range.lowerBound
        trailingCount = octets.count - directory.range.upperBound
        directoryStart = directory.start
    }

    deinit { unsafe zip_discard(handle) }

    package func entry(named name: String) -> ZipEntry? {
        // Few names are looked up, and an index would take more memory than the entries.
        let name = EntryName(name)
        return entries.first { EntryName($0.name) == name }
    }

    /// The number of bytes inflated so far; an entry read twice counts once.
    package var inflatedCount: Int { inflated.total }

    package func contains(_ name: String) -> Bool { entry(named: name) != nil }

    /// Inflates an entry and calls `body` with pieces until it returns false. The checksum is
    /// verified at the end of the entry.
    package func read(
        _ entry: ZipEntry, limit: Int? = nil, pieceSize: Int = 64 << 10,
        _ body: (Span<UInt8>) throws(ZipError) -> Bool
    ) throws(ZipError) {
        guard !entry.isEncrypted else { throw .encrypted(name: entry.name) }
        guard let file = unsafe zip_fopen_index(handle, UInt64(entry.index), 0) else {
            throw unsafe failure(of: zip_get_error(handle), in: entry)
        }
        defer { unsafe zip_fclose(file) }
        let limit = min(limit ?? limits.entry, limits.entry)
        let stored = max(entry.compressedSize, 1)
        var buffer = [UInt8](repeating: 0, count: min(pieceSize, max(entry.size, 1)))
        var count = 0
        while true {
            let got = unsafe buffer.withUnsafeMutableBytes { space -> Int in
                guard let base = space.baseAddress else { return -1 }
                return unsafe Int(zip_fread(file, base, UInt64(space.count)))
            }
            guard got >= 0 else { throw unsafe failure(of: zip_file_get_error(file), in: entry) }
            guard got > 0 else { break }
            count += got
            guard count <= limit else { throw .entryTooLarge(name: entry.name, limit: limit) }
            guard count <= limits.ratioFloor || count / stored <= limits.ratio else {
                throw .ratioTooHigh(name: entry.name, limit: limits.ratio)
            }
            guard inflated.count(entry.index, count) <= limits.total else {
                throw .totalTooLarge(limit: limits.total)
            }
            guard try body(buffer.span.extracting(0..<got)) else { return }
        }
        guard count == entry.size else {
            throw .damagedEntry(
                name: entry.name, .wrongSize(count: count, declared: entry.size))
        }
    }

    /// The first bytes of an entry, at most `count`; empty if it cannot be read.
    package func prefix(of entry: ZipEntry, _ count: Int) -> [UInt8] {
        var prefix: [UInt8] = []
        try? read(entry, pieceSize: count) { piece throws(ZipError) in
            for index in piece.indices { prefix.append(piece[index]) }
            return false
        }
        return prefix
    }

    /// The contents of an entry, in an unlinked file if large.
    package func octets(
        of entry: ZipEntry, limit: Int? = nil, policy: SpoolPolicy = SpoolPolicy()
    ) throws(ZipError) -> SpooledBytes {
        var writer = OctetsWriter(policy)
        try read(entry, limit: limit) { piece throws(ZipError) in
            do throws(FileError) {
                try writer.append(piece)
            } catch {
                throw .file(error)
            }
            return true
        }
        do throws(FileError) {
            return try writer.finish()
        } catch {
            throw .file(error)
        }
    }

    /// The entries with the names that libzip uses. Throws if libzip reads a different directory.
    private static func verified(_ entries: consuming [ZipEntry], _ handle: OpaquePointer)
        throws(ZipError) -> [ZipEntry]
    {
        let count = unsafe zip_get_num_entries(handle, 0)
        var entries = entries
        guard count == Int64(entries.count) else {
            throw .damagedDirectory(.severalDirectories)
        }
        for index in entries.indices {
            var stat = unsafe zip_stat_t()
            guard unsafe zip_stat_index(handle, UInt64(index), 0, &stat) == 0,
                let raw = unsafe zip_get_name(handle, UInt64(index), UInt32(ZIP_FL_ENC_RAW)),
                entries[index].chooseName(
                    where: { unsafe spells(raw, $0) },
                    guess: {
                        unsafe zip_get_name(handle, UInt64(index), 0)
                            .map { unsafe String(cString: $0) }
                    }),
                unsafe stat.comp_size == UInt64(entries[index].compressedSize),
                unsafe stat.size == UInt64(entries[index].size),
                unsafe stat.crc == entries[index].checksum
            else { throw .damagedDirectory(.severalDirectories) }
        }
        return entries
    }

    private func failure(of error: UnsafeMutablePointer<zip_error_t>, in entry: ZipEntry)
        -> ZipError
    {
        if let failure = source.failure { return .file(failure) }
        switch unsafe zip_error_code_zip(error) {
        case ZIP_ER_COMPNOTSUPP: return .unsupportedCompression(name: entry.name)
        case ZIP_ER_NOPASSWD, ZIP_ER_ENCRNOTSUPP: return .encrypted(name: entry.name)
        default:
            let reason = unsafe String(cString: zip_error_strerror(error))
            return .damagedEntry(name: entry.name, .libzip(reason))
        }
    }
}

/// How much of each entry was inflated; an entry read twice counts once.
private final class Inflated {
    private var counts: [Int: Int] = [:]
    private(set) var total = 0

    func count(_ entry: Int, _ count: Int) -> Int {
        let before = counts[entry, default: 0]
        if count > before {
            counts[entry] = count
            total += count - before
        }
        return total
    }
}

/// Whether libzip's name equals these bytes; libzip replaces a NUL with a space.
private func spells(_ string: UnsafePointer<CChar>, _ bytes: [UInt8]) -> Bool {
    for (index, byte) in bytes.enumerated() {
        let seen = unsafe UInt8(bitPattern: string[index])
        guard seen != 0, seen == (byte == 0 ? UInt8(ascii: " ") : byte) else { return false }
    }
    return unsafe string[bytes.count] == 0
}
