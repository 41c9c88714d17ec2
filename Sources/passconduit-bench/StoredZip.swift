/// A ZIP archive without compression, for attachments.
struct StoredZip {
    private(set) var bytes: [UInt8] = []

    init(_ files: [(name: String, content: [UInt8])]) {
        var directory: [UInt8] = []
        for (name, content) in files {
            let entry =
                words(0, 0, 0, 0x5821) + longs(Int(CRC32.of(content)), content.count, content.count)
                + words(name.utf8.count, 0)
            directory += longs(0x0201_4B50) + words(20, 20) + entry + words(0, 0, 0)
            directory += longs(0, bytes.count) + name.utf8
            bytes += longs(0x0403_4B50) + words(20) + entry + name.utf8 + content
        }
        let start = bytes.count
        bytes += directory + longs(0x0605_4B50) + words(0, 0, files.count, files.count)
        bytes += longs(directory.count, start) + words(0)
    }
}

private func words(_ values: Int...) -> [UInt8] { values.flatMap { littleEndian($0, 2) } }

private func longs(_ values: Int...) -> [UInt8] { values.flatMap { littleEndian($0, 4) } }

private func littleEndian(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
}
