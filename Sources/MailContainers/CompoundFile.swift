import Bytes
import Platform

/// The streams of a compound file ([MS-CFB]), by folder. Tables say where sectors are; offsets
/// beyond the file are rejected, and chains have a maximum length.
struct CompoundFile {
    let octets: SpooledBytes
    /// By entry number; the first is the root.
    private(set) var entries: [Entry] = []
    private let sectorShift: Int
    /// Shorter streams use sectors of 64 bytes, stored in the root's stream.
    private let miniCutoff: Int
    private var sectors: [UInt32] = []
    private var miniSectors: [UInt32] = []
    /// The sectors of the root's stream.
    private var miniStream: [UInt32] = []
    /// Whether the file ends before the sectors that its tables list.
    private(set) var isCut = false
    /// The limit that its size exceeds, in bytes, so that it was not read.
    private(set) var exceededSize: Int?
    /// Whether it has more entries than the limit.
    private(set) var isAtLimit = false
    /// Which entries were already found in a folder; an entry belongs to one folder only.
    private var isTaken: [Bool] = []
    /// The number of bytes that may still be read; one budget for all streams suffices, since no
    /// two share a sector.
    private var bytesLeft: Int

    struct Entry {
        let name: String
        let isFolder: Bool
        /// The entry numbers of its siblings in the folder's tree, and of the root of its own tree.
        let left: UInt32
        let right: UInt32
        let child: UInt32
        let firstSector: UInt32
        let size: Int
    }

    /// Marks the end of a stream's chain.
    private static let endOfChain: UInt32 = 0xFFFF_FFFE
    private static let miniShift = 6
    /// Outlook writes at most two gigabytes.
    private static let sectorLimit = 1 << 24
    /// The limit for directory entries: messages have some dozens per attachment.
    static let entryLimit = 100_000

    /// Nil if it is not a compound file. A truncated file may have no entries.
    init?(_ octets: SpooledBytes) throws(FileError) {
        var window = OctetsWindow(octets)
        let header = try window.bytes(0..<512)
        guard FileSignature(header.span) == .compoundFile, header.count == 512 else { return nil }
        func number(_ place: Int) -> UInt32 { CompoundFile.number(header, place) }
        // The sector size in bytes: 512, or 4096 in version 4.
        let shift = Int(header[30])
        guard shift == 9 || shift == 12 else { return nil }
        self.octets = octets
        bytesLeft = octets.count
        sectorShift = shift
        miniCutoff = Int(min(number(56), 1 << 16))
        guard octets.count >> shift <= CompoundFile.sectorLimit else {
            exceededSize = CompoundFile.sectorLimit << shift
            return
        }
        try readTable(
            header: header, firstOfList: number(68), countOfList: number(72))
        miniSectors = try table(of: number(60), count: Int(number(64)))
        try readDirectory(from: number(48))
        isTaken = Array(repeating: false, count: entries.count)
        if let root = entries.first {
            miniStream = chain(
                from: root.firstSector, in: sectors, count: sectorCount(root.size, sectorShift))
        }
        isCut = isCut || entries.isEmpty
    }

    private static func number(_ bytes: [UInt8], _ place: Int) -> UInt32 {
        (0..<4).reversed().reduce(0) { $0 << 8 | UInt32(bytes[place + $1]) }
    }

    /// The number of sectors of this size that `size` bytes need.
    private func sectorCount(_ size: Int, _ shift: Int) -> Int {
        (size >> shift) + (size & (1 << shift - 1) == 0 ? 0 : 1)
    }

    /// The byte range of a sector. Sector 0 follows the header, which occupies one sector.
    private func place(of sector: UInt32) -> Range<Int>? {
        let start = (Int(sector) + 1) << sectorShift
        guard sector < CompoundFile.endOfChain - 3, start < octets.count else { return nil }
        return start..<min(start + 1 << sectorShift, octets.count)
    }

    /// The numbers in a table sector; fewer if it extends beyond the end.
    private mutating func numbers(in sector: UInt32) throws(FileError) -> [UInt32] {
        let bytes = try place(of: sector).map { place throws(FileError) in
            try octets.array(place)
        }
        let count = 1 << (sectorShift - 2)
        let there = stride(from: 0, to: (bytes?.count ?? 0) - 3, by: 4).map {
            CompoundFile.number(bytes ?? [], $0)
        }
        if there.count < count { isCut = true }
        // Pad the sector, so that the numbers after it keep their index.
        return there + Array(repeating: .max, count: count - there.count)
    }

    /// Reads the table of sector chains ([MS-CFB], 2.3). The header lists its first 109 sectors, a
    /// chain of list sectors the others (2.5).
    private mutating func readTable(
        header: [UInt8], firstOfList: UInt32, countOfList: UInt32
    ) throws(FileError) {
        let most = sectorCount(octets.count, sectorShift)
        // The number of sectors needed to hold a number for each.
        let tableSectors = sectorCount(most * 4, sectorShift)
        var places = stride(from: 76, to: 512, by: 4).map { CompoundFile.number(header, $0) }
        var next = firstOfList
        var listLeft = countOfList
        while listLeft > 0, places.count < 109 + tableSectors {
            listLeft -= 1
            var numbers = try numbers(in: next)
            guard next < CompoundFile.endOfChain - 3, let following = numbers.popLast() else {
                break
            }
            places += numbers
            next = following
        }
        for place in places where sectors.count < most {
            guard place < CompoundFile.endOfChain - 3 else { continue }
            sectors += try numbers(in: place)
        }
    }

    private mutating func table(of first: UInt32, count: Int) throws(FileError) -> [UInt32] {
        var table: [UInt32] = []
        // There are eight or more small sectors to a large one, with a number for each.
        let most = sectorCount(octets.count >> CompoundFile.miniShift * 4, sectorShift) + 1
        for sector in chain(from: first, in: sectors, count: min(count, most)) {
            table += try numbers(in: sector)
        }
        return table
    }

    /// The sectors of a stream, at most `count`; fewer if the chain breaks.
    private func chain(from first: UInt32, in table: [UInt32], count: Int) -> [UInt32] {
        var chain: [UInt32] = []
        var next = first
        // A chain longer than the table is a loop.
        let count = min(count, table.count)
        while chain.count < count, next < table.count {
            chain.append(next)
            next = table[Int(next)]
        }
        return chain
    }

    private mutating func readDirectory(from first: UInt32) throws(FileError) {
        for sector in chain(from: first, in: sectors, count: sectors.count) {
            guard let place = place(of: sector), place.count == 1 << sectorShift else {
                isCut = true
                return
            }
            let bytes = try octets.array(place)
            for start in stride(from: 0, to: bytes.count - 127, by: 128) {
                guard entries.count < CompoundFile.entryLimit else {
                    isAtLimit = true
                    return
                }
                entries.append(entry(Array(bytes[start..<start + 128])))
            }
        }
    }

    /// An entry of the directory ([MS-CFB], 2.6.1).
    private func entry(_ bytes: [UInt8]) -> Entry {
        let length = max(0, min(Int(bytes[64]) | Int(bytes[65]) << 8, 64) - 2)
        let units = stride(from: 0, to: length - 1, by: 2).map {
            UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8
        }
        func number(_ place: Int) -> UInt32 { CompoundFile.number(bytes, place) }
        // With small sectors, the upper half is undefined.
        let upper = sectorShift == 9 ? 0 : Int(number(124) & 0xFF)
        return Entry(
            name: String(streamSafe: units), isFolder: bytes[66] == 1,
            left: number(68), right: number(72), child: number(76), firstSector: number(116),
            size: upper << 32 | Int(number(120)))
    }

    /// The entries of a folder, sorted by name. Each entry is returned only once.
    mutating func takeChildren(of folder: Entry) -> [Entry] {
        var found: [Entry] = []
        var waiting = [folder.child]
        while let number = waiting.popLast() {
            guard number < entries.count, !isTaken[Int(number)] else { continue }
            isTaken[Int(number)] = true
            let entry = entries[Int(number)]
            found.append(entry)
            waiting += [entry.right, entry.left]
        }
        return found.sorted { $0.name < $1.name }
    }

    /// The byte ranges of a stream, in order; nil if part of it is missing.
    mutating func ranges(of stream: Entry) -> [Range<Int>]? {
        guard stream.size <= octets.count, bytesLeft >= 0 else { return nil }
        let isMini = stream.size < miniCutoff
        let shift = isMini ? CompoundFile.miniShift : sectorShift
        let count = sectorCount(stream.size, shift)
        let chain = chain(
            from: stream.firstSector, in: isMini ? miniSectors : sectors, count: count)
        // A broken chain is charged for its existing sectors.
        bytesLeft -= min(stream.size, chain.count << shift)
        guard chain.count == count, bytesLeft >= 0 else { return nil }
        var ranges: [Range<Int>] = []
        var rest = stream.size
        for sector in chain {
            guard let place = isMini ? miniPlace(of: sector) : place(of: sector) else { return nil }
            let wanted = min(rest, 1 << shift)
            guard place.count >= wanted else { return nil }
            let range = place.lowerBound..<place.lowerBound + wanted
            if let last = ranges.last, last.upperBound == range.lowerBound {
                ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
            } else {
                ranges.append(range)
            }
            rest -= wanted
        }
        return ranges
    }

    private func miniPlace(of sector: UInt32) -> Range<Int>? {
        let start = Int(sector) << CompoundFile.miniShift
        let index = start >> sectorShift
        guard index < miniStream.count, let place = place(of: miniStream[index]) else { return nil }
        let from = place.lowerBound + (start & (1 << sectorShift - 1))
        guard from + 1 << CompoundFile.miniShift <= place.upperBound else { return nil }
        return from..<from + 1 << CompoundFile.miniShift
    }
}
