import Bytes

/// The boundaries of the open multiparts, in a hash table: a `--` line is hashed once or twice, and
/// compared only with boundaries of the same hash.
struct OpenBoundaries {
    /// A delimiter line: the index of its multipart in the stack of open entities, and whether it
    /// closes the multipart.
    struct Delimiter {
        let level: Int
        let closes: Bool
    }

    /// The longest line that may be a delimiter with an undeclared boundary, in bytes.
    /// VIOLATIONS.md, M66: more than 70.
    static let longest = 256
    /// The shortest boundary that is recognised without its dashes, in bytes.
    private static let shortestAlone = 6
    /// The initial number of buckets: more than most messages need.
    private static let fewest = 16

    /// In order of their levels.
    private var entries: [Entry] = []
    /// The last entry in each bucket. The number of buckets is a power of two, and at least that of
    /// entries.
    private var last: [Int?] = []
    private var longest = 0

    private struct Entry {
        let hash: UInt64
        let level: Int
        let boundary: [UInt8]
        /// The previous entry in the same bucket.
        var previous: Int?
    }

    mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
        last = last.count > OpenBoundaries.fewest ? [] : last.map { _ in nil }
        longest = 0
    }

    /// Adds a boundary of the multipart at `level`, the new innermost one. VIOLATIONS.md, M67: it
    /// may end in white space, and contain any characters.
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

    /// Removes the boundaries of the multipart at `level`, the innermost one.
    mutating func close(level: Int) {
        while let entry = entries.last, entry.level >= level {
            last[place(of: entry.hash)] = entry.previous
            entries.removeLast()
        }
    }

    /// The innermost multipart whose boundary matches a `--` line exactly, except for trailing
    /// white space (RFC 2046, 5.1.1). VIOLATIONS.md, M75: the line may begin with the boundary of
    /// another.
    func delimiter(_ source: Span<UInt8>, _ line: Range<Int>) -> Delimiter? {
        guard !entries.isEmpty, line.count > 2 else { return nil }
        // VIOLATIONS.md, M68: trailing NULs.
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

    /// The innermost multipart whose boundary ends the line, and the offset of the delimiter: with
    /// two dashes anywhere in the line, or with fewer at its start (VIOLATIONS.md, M71).
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

    /// Whether an outer multipart shares a boundary with the innermost one, at `level`
    /// (VIOLATIONS.md, M76).
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

    /// Random, so that no sender can choose boundaries that collide.
    private static let seed = UInt64.random(in: UInt64.min...UInt64.max)

    /// FNV-1a with a seed.
    private func hash(_ source: Span<UInt8>, _ range: Range<Int>) -> UInt64 {
        var hash = OpenBoundaries.seed
        for index in range { hash = (hash ^ UInt64(source[index])) &* 0x100_0000_01B3 }
        return hash
    }
}
