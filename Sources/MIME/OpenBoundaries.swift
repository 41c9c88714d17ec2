import Bytes

/// The boundaries of the multiparts that are open, found by hash: a `--` line is hashed once or
/// twice, and compared with a boundary only where the hashes agree.
struct OpenBoundaries {
    /// A line that ends one part of a multipart: the multipart's place in the stack of open
    /// entities, and whether the line closes it.
    struct Delimiter {
        let level: Int
        let closes: Bool
    }

    /// The longest line that may be a delimiter whose boundary no header names, in bytes. RFC 2046,
    /// 5.1.1 allows 70; 180 were seen.
    static let longest = 256
    /// The shortest boundary that is known for one without its dashes, in bytes.
    private static let shortestAlone = 6
    /// How many places there are for a start: more than most messages open.
    private static let fewest = 16

    /// In the order of their levels.
    private var entries: [Entry] = []
    /// The last entry whose hash leads to each place: as many places as entries at least, a power of two.
    private var last: [Int?] = []
    private var longest = 0

    private struct Entry {
        let hash: UInt64
        let level: Int
        let boundary: [UInt8]
        /// The entry before it whose hash leads to the same place.
        var previous: Int?
    }

    mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
        last = last.count > OpenBoundaries.fewest ? [] : last.map { _ in nil }
        longest = 0
    }

    /// Adds a boundary of the multipart at `level`, above all that are open.
    mutating func open(_ boundary: [UInt8], level: Int) {
        let range = boundary.span.trimmed(0..<boundary.count)
        let trimmed = Array(boundary[range.isEmpty ? 0..<0 : 0..<range.upperBound])
        guard !trimmed.isEmpty else { return }
        let hash = hash(trimmed.span, 0..<trimmed.count)
        if entries.count >= last.count { makeRoom() }
        let place = place(of: hash)
        entries.append(
            Entry(hash: hash, level: level, boundary: trimmed, previous: last[place]))
        last[place] = entries.count - 1
        longest = max(longest, trimmed.count)
    }

    private mutating func makeRoom() {
        last = Array(repeating: nil, count: max(last.count * 2, OpenBoundaries.fewest))
        for index in entries.indices {
            let place = place(of: entries[index].hash)
            entries[index].previous = last[place]
            last[place] = index
        }
    }

    private func place(of hash: UInt64) -> Int {
        Int(truncatingIfNeeded: hash >> 32 ^ hash) & (last.count - 1)
    }

    /// Forgets the boundaries of the multipart at `level`, the topmost one.
    mutating func close(level: Int) {
        while let entry = entries.last, entry.level >= level {
            last[place(of: entry.hash)] = entry.previous
            entries.removeLast()
        }
    }

    /// What a line that begins with `--` delimits: the innermost multipart whose boundary it is
    /// exactly, white space at its end aside (RFC 2046, 5.1.1).
    func delimiter(_ source: Span<UInt8>, _ line: Range<Int>) -> Delimiter? {
        guard !entries.isEmpty, line.count > 2 else { return nil }
        // White space at its end is allowed; NULs come from mailers that count a C string's.
        var end = line.upperBound
        while end > line.lowerBound, source[end - 1].isWhiteSpace || source[end - 1] == 0 {
            end -= 1
        }
        let text = min(line.lowerBound + 2, end)..<end
        guard !text.isEmpty, text.count <= longest + 2 else { return nil }
        if let level = level(source, text) { return Delimiter(level: level, closes: false) }
        guard text.count > 2, source.hasPrefix("--", at: text.upperBound - 2) else { return nil }
        let inner = source.trimmed(text.lowerBound..<text.upperBound - 2)
        return level(source, text.lowerBound..<inner.upperBound).map {
            Delimiter(level: $0, closes: true)
        }
    }

    /// The innermost multipart with whose boundary a line ends, and where its delimiter begins: with two
    /// dashes wherever it stands, or with fewer at the beginning of the line.
    func ending(_ source: Span<UInt8>, _ line: Range<Int>) -> (level: Int, start: Int)? {
        for entry in entries.reversed() {
            let start = line.upperBound - entry.boundary.count
            guard start >= line.lowerBound, source[line.upperBound - 1] == entry.boundary.last,
                (start..<line.upperBound).allSatisfy({
                    source[$0] == entry.boundary[$0 - start]
                })
            else { continue }
            if start - 2 >= line.lowerBound, source.hasPrefix("--", at: start - 2) {
                return (entry.level, start - 2)
            }
            let dashes = line.lowerBound..<start
            if entry.boundary.count >= OpenBoundaries.shortestAlone,
                dashes.isEmpty || dashes.count == 1 && source[start - 1] == UInt8(ascii: "-")
            {
                return (entry.level, line.lowerBound)
            }
        }
        return nil
    }

    /// Whether a multipart outside of the one at `level`, the topmost, shares a boundary with it.
    func isShared(level: Int) -> Bool {
        for index in entries.indices.reversed() {
            guard entries[index].level == level else { break }
            var other = entries[index].previous
            while let place = other {
                if entries[place].level < level,
                    entries[place].boundary == entries[index].boundary
                {
                    return true
                }
                other = entries[place].previous
            }
        }
        return false
    }

    private func level(_ source: Span<UInt8>, _ text: Range<Int>) -> Int? {
        guard !last.isEmpty else { return nil }
        let hash = hash(source, text)
        var index = last[place(of: hash)]
        while let place = index {
            if entries[place].hash == hash, entries[place].boundary.count == text.count,
                text.allSatisfy({ source[$0] == entries[place].boundary[$0 - text.lowerBound] })
            {
                return entries[place].level
            }
            index = entries[place].previous
        }
        return nil
    }

    /// So that nobody can choose boundaries that lead to one place.
    private static let seed = UInt64.random(in: UInt64.min...UInt64.max)

    /// FNV-1a, from a seed.
    private func hash(_ source: Span<UInt8>, _ range: Range<Int>) -> UInt64 {
        var hash = OpenBoundaries.seed
        for index in range { hash = (hash ^ UInt64(source[index])) &* 0x100_0000_01B3 }
        return hash
    }
}
