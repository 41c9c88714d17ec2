package import Bytes
import CZip
package import Platform

/// A read-only ZIP archive, closed with its last reference: detection, verification and drawing
/// share one.
///
/// Opening does not check entry names; call `refuseUnsafe` for that.
@safe package final class ZipArchive {
    /// The size of an empty archive, the smallest one, in bytes.
    package static let smallest = 22

    package let entries: [ZipEntry]
    /// The whole file, with the bytes before and after the archive proper.
    package let file: SpooledBytes
    /// The bytes of the archive proper: up to the end of its comment, without the bytes before the
    /// first local header, unless the offsets count them.
    package let octets: SpooledBytes
    /// The number of bytes before the archive proper, which its offsets do not count.
    package let leadingCount: Int
    /// The number of bytes after the archive proper.
    package let trailingCount: Int
    private let handle: OpaquePointer
    private let source: ZipSource
    /// The offset of the central directory in `octets`.
    private let directoryStart: Int
    private var limits: ZipLimits
    /// What the limits of the directory apply to.
    private let directorySize: ZipDirectory.Size
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
        file = octets
        self.octets = proper
        self.limits = limits
        directorySize = directory.size
        leadingCount = directory.range.lowerBound
        trailingCount = octets.count - directory.range.upperBound
        directoryStart = directory.start
    }

    deinit { unsafe zip_discard(handle) }

    /// Narrows the limits, as if the archive had been opened with these.
    package func limit(to limits: ZipLimits) throws(ZipError) {
        guard file.count <= limits.archive else {
            throw .archiveTooLarge(limit: limits.archive)
        }
        try directorySize.check(limits)
        self.limits = limits
    }

    package func entry(named name: String) -> ZipEntry? {
        // Few names are looked up, and an index would take more memory than the entries.
        if name.utf8.allSatisfy({ $0 < 0x80 }) {
            // ASCII is the same in UTF-8 and in code page 437.
            return entries.first { $0.rawName.elementsEqual(name.utf8) }
        }
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

    /// The first bytes of an entry, at most `count`; empty if it cannot be inflated.
    package func prefix(of entry: ZipEntry, _ count: Int) throws(FileError) -> [UInt8] {
        var prefix: [UInt8] = []
        do throws(ZipError) {
            try read(entry, pieceSize: count) { piece throws(ZipError) in
                unsafe piece.withUnsafeBufferPointer { unsafe prefix.append(contentsOf: $0) }
                return false
            }
        } catch {
            if case .file(let error) = error { throw error }
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
                unsafe stat.crc == entries[index].declared.checksum
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

extension ZipArchive {
    /// Refuses archives that are ambiguous or that could write outside of the folder they are
    /// unpacked into: duplicate names, entries with two names, unsafe names, symbolic links,
    /// encrypted entries, compression methods other than deflate, overlapping entries. Returns how
    /// the local headers differ from the directory.
    @discardableResult
    package func refuseUnsafe() throws(ZipError) -> LocalHeaderFindings {
        // Compared as strings, thus by canonical equivalence: an Apple file system treats names
        // that look alike as one file.
        var names: Set<String> = []
        for entry in entries {
            if let reason = entry.unsafeName { throw .unsafeName(entry.name, reason) }
            if entry.isSymbolicLink { throw .symbolicLink(name: entry.name) }
            try entry.refuseUnusual(entry.declared)
            // `a` and `a/` cannot both be unpacked.
            let isFolder = entry.rawName.last == UInt8(ascii: "/")
            let path = isFolder ? String(entry.name.unicodeScalars.dropLast()) : entry.name
            guard names.insert(path).inserted else { throw .duplicateName(path) }
        }
        return try compareHeaders()
    }

    /// Refuses entries whose local headers have other names, since streaming readers see only
    /// local headers; and entries that share bytes, since the entries of a ZIP bomb can refer to
    /// the same data.
    private func compareHeaders() throws(ZipError) -> LocalHeaderFindings {
        var last: (entry: ZipEntry, end: Int)?
        var differing: [ZipEntry] = []
        // The parts in which a streaming reader may find further local headers.
        var searched = [0..<leadingCount]
        var start = 0
        for entry in entries.sorted(by: { $0.offset < $1.offset }) {
            guard let header = try LocalHeader(octets, at: entry.offset) else {
                throw .damagedEntry(name: entry.name, .missingHeader)
            }
            let end = header.end + entry.compressedSize
            guard end <= directoryStart else {
                throw .damagedEntry(name: entry.name, .overlapsDirectory)
            }
            if let last, entry.offset < last.end {
                throw .overlap(name: last.entry.name, other: entry.name)
            }
            guard header.names == entry.names else {
                let other = header.names.first { !entry.names.contains($0) } ?? header.names[0]
                throw .otherName(entry.name, String(streamSafe: other))
            }
            try entry.refuseUnusual(header.declared)
            let agrees = entry.declared.agrees(with: header.declared)
            if !agrees { differing.append(entry) }
            searched.append(leadingCount + start..<leadingCount + entry.offset)
            start = agrees && header.declared.tellsEnd ? end : header.end
            last = (entry, end)
        }
        searched.append(leadingCount + start..<leadingCount + directoryStart)
        return LocalHeaderFindings(
            differing: differing.map(\.name), hidden: try hiddenNames(in: searched))
    }

    /// The names in local headers within these parts of the file. Anything may follow the signature
    /// of a header by chance, or many times on purpose, so their number and size are limited.
    private func hiddenNames(in parts: [Range<Int>]) throws(ZipError) -> [[UInt8]] {
        var names: [[UInt8]] = []
        var count = 0
        var size = 0
        for part in parts {
            try file.forEachPlace(of: LocalHeader.signature, in: part) { place throws(ZipError) in
                count += 1
                guard count <= limits.entries else {
                    throw .tooManyEntries(count: count, limit: limits.entries)
                }
                guard let more = try LocalHeader.variableSize(in: file, at: place) else { return }
                size += more
                guard size <= limits.hidden else { throw .directoryTooLarge(limit: limits.hidden) }
                if let header = try LocalHeader(file, at: place) {
                    names += header.names.filter { !$0.isEmpty }
                }
            }
        }
        return names
    }
}

/// How local headers differ from the central directory. Readers that stream an archive see only
/// local headers.
package struct LocalHeaderFindings: Sendable {
    /// The entries with another size, checksum, compression method or flags in their local headers.
    package let differing: [String]
    /// The names in local headers that the directory does not list, also in the bytes before the
    /// archive proper. Not all are text.
    package let hidden: [[UInt8]]

    /// The first hidden name that a reader may take for this one, in lower case, in whatever folder:
    /// some readers end names at a NUL, take a backslash for a slash, or ignore case.
    package func hides(_ file: String) -> String? {
        let found = hidden.first { name in
            let text = name.prefix { $0 != 0 }
            let last = text.split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }.last ?? []
            return last.map(\.asciiLowercased).elementsEqual(file.utf8)
        }
        return found.map { String(streamSafe: $0) }
    }
}

extension ZipEntry {
    /// Refuses what not every reader of passes can read, as declared in the directory or in the
    /// local header.
    fileprivate func refuseUnusual(_ declared: ZipDeclaration) throws(ZipError) {
        if declared.isEncrypted { throw .encrypted(name: name) }
        if declared.isUnusual { throw .unsupportedCompression(name: name) }
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
