/// A ZIP archive of uncompressed entries (APPNOTE.TXT, 4.3.6).
package func storedArchive(_ entries: [(name: String, bytes: [UInt8])]) -> [UInt8] {
    var archive: [UInt8] = []
    var directory: [UInt8] = []
    for entry in entries {
        let name = Array(entry.name.utf8)
        let size = little(entry.bytes.count, 4)
        let common =
            little(20, 2) + little(0x0800, 2) + little(0, 2) + little(0, 2) + little(0x21, 2)
            + little(Int(crc32(entry.bytes)), 4) + size + size + little(name.count, 2)
            + little(0, 2)
        directory += Array("PK\u{1}\u{2}".utf8) + little(20, 2) + common
        directory += little(0, 10) + little(archive.count, 4) + name
        archive += Array("PK\u{3}\u{4}".utf8) + common + name + entry.bytes
    }
    let count = little(entries.count, 2)
    return archive + directory + Array("PK\u{5}\u{6}".utf8) + little(0, 4) + count + count
        + little(directory.count, 4) + little(archive.count, 4) + little(0, 2)
}

private func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 < 8 ? value >> ($0 * 8) : 0) }
}

private func crc32(_ bytes: [UInt8]) -> UInt32 {
    var remainder: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
        remainder ^= UInt32(byte)
        for _ in 0..<8 {
            remainder = remainder >> 1 ^ (remainder & 1 == 1 ? 0xEDB8_8320 : 0)
        }
    }
    return ~remainder
}
