import Bytes

extension ZipArchive {
    /// Refuses archives that are ambiguous or that could write outside of the folder they are
    /// unpacked into: duplicate names, entries with two names, unsafe names, symbolic links,
    /// encrypted entries, overlapping entries.
    package func refuseUnsafe() throws(ZipError) {
        // Compared as strings, thus by canonical equivalence: an Apple file system treats names
        // that look alike as one file.
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

    /// Refuses entries whose local headers disagree with the directory, since streaming readers see
    /// only local headers; and entries that share bytes, since the entries of a ZIP bomb can refer
    /// to the same data.
    private func refuseOtherHeaders() throws(ZipError) {
        var last: (entry: ZipEntry, end: Int)?
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
            last = (entry, end)
        }
    }
}
