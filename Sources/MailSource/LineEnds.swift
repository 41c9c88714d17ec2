package import Bytes

/// Mail whose lines end in a carriage return alone, as old Macs wrote it and RFC 5322, 2.3 forbids.
package enum LineEnds {
    /// The first bytes of such mail with line feeds instead; nil where lines end in something else.
    package static func repaired(_ prefix: [UInt8]) -> [UInt8]? {
        guard prefix.contains(0x0D), !prefix.contains(0x0A) else { return nil }
        return prefix.map { $0 == 0x0D ? 0x0A : $0 }
    }

    /// All of it with line feeds instead.
    package static func repaired(
        _ source: ByteSource, _ spool: SpoolPolicy
    ) throws(FileError) -> Octets {
        var writer = OctetsWriter(spool)
        var reader = LineReader()
        var line: [UInt8] = []
        var failure: FileError?
        reader.open(source)
        while failure == nil {
            let more = try reader.next { bytes, _ in
                line.removeAll(keepingCapacity: true)
                for index in bytes.indices {
                    line.append(bytes[index] == 0x0D ? 0x0A : bytes[index])
                }
                do throws(FileError) { try writer.append(line) } catch { failure = error }
                return bytes.count
            }
            if !more { break }
        }
        if let failure { throw failure }
        return try writer.finish()
    }
}
