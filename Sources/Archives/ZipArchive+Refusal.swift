import Bytes

extension ZipArchive {
    /// Refuses what could mean two things to two readers, or lead out of a folder that the archive
    /// is unpacked into: two entries of one name, an entry of two names, unsafe names, symbolic links,
    /// encrypted entries, entries that share bytes.
    package func refuseUnsafe() throws(ZipError) {
        // Strings, which are equal when they look alike: two names that a person cannot tell apart are one
        // file where an Apple file system unpacks them.
        var names: Set<String> = []
        for entry in entries {
            if let reason = entry.unsafeName { throw .unsafeName(entry.name, reason) }
            if entry.isSymbolicLink { throw .symbolicLink(name: entry.name) }
            if entry.isEncrypted { throw .encrypted(name: entry.name) }
            // `a` and `a/` cannot both be unpacked.
            let isFolder = entry.rawName.last == UInt8(ascii: "/")
            let path = isFolder ? String(entry.name.unicodeScalars.dropLast()) : entry.name
            guard names.insert(path).inserted else { throw .duplicateName(path) }
        }
        try refuseOtherHeaders()
    }

    /// Refuses entries whose own headers say something else than the directory. Who reads a stream
    /// sees only these; and a bomb can quote one kernel of data from many entries, where each range of
    /// bytes is one entry's.
    private func refuseOtherHeaders() throws(ZipError) {
        var last: (entry: ZipEntry, end: Int)?
        for entry in entries.sorted(by: { $0.offset < $1.offset }) {
            guard let header = try LocalHeader(octets, at: entry.offset) else {
                throw .damagedEntry(name: entry.name, "it has no local header")
            }
            let end = header.end + entry.compressedSize
            guard end <= directoryStart else {
                throw .damagedEntry(name: entry.name, "it reaches into the directory")
            }
            if let last, entry.offset < last.end {
                throw .overlap(name: last.entry.name, other: entry.name)
            }
            guard header.names == entry.names else {
                let other = header.names.first { !entry.names.contains($0) } ?? header.names[0]
                throw .otherName(entry.name, String(streamSafe: other))
            }
            last = (entry, end)
        }
    }
}
