package import Bytes

/// AppleSingle and AppleDouble (RFC 1740, appendix A): a table of entries, each a byte range.
extension MacFile {
    package init(appleSingle octets: SpooledBytes) throws(MacFileError) {
        let start = try BigEndian(octets, 0..<26)
        guard FileSignature(start.bytes.span) == .appleSingle,
            let count = start.number(2, at: 24)
        else { throw .notOfForm(.appleSingle) }
        let table = try BigEndian(octets, 26..<26 + count * entrySize)
        var realName: Range<Int>?
        var dataFork: Range<Int>?
        for place in stride(from: 0, to: table.bytes.count, by: entrySize) {
            guard let entry = table.number(4, at: place),
                let offset = table.number(4, at: place + 4),
                let length = table.number(4, at: place + 8)
            else { break }
            if entry == dataForkEntry, dataFork == nil {
                dataFork = offset..<offset + length
            } else if entry == realNameEntry, realName == nil {
                realName = offset..<offset + min(length, longestName)
            }
        }
        let name = try BigEndian(octets, realName ?? 0..<0).bytes
        guard table.bytes.count == count * entrySize,
            dataFork?.upperBound ?? 0 <= octets.count
        else { throw .truncated(MacFile.fileName(name)) }
        self.init(name: name, dataFork: dataFork.map { octets.slice($0) })
    }
}

/// In bytes.
private let entrySize = 12
private let dataForkEntry = 1
private let realNameEntry = 3
/// In bytes. HFS+ names have at most 255 UTF-16 units.
private let longestName = 255 * 3
