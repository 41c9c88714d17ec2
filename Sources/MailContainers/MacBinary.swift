package import Bytes

/// MacBinary: a header of 128 bytes, then the forks, padded to multiples of 128 bytes. It has no
/// magic number, so only files declared as MacBinary are read as such.
extension MacFile {
    package init(macBinary octets: SpooledBytes) throws(MacFileError) {
        let header = try BigEndian(octets, 0..<blockSize)
        guard MacFile.isMacBinary(header), let nameCount = header.number(1, at: 1),
            let length = header.number(4, at: 83), let second = header.number(2, at: 120)
        else { throw .notOfForm(.macBinary) }
        let name = Array(header.bytes[2..<2 + nameCount])
        // A second header may follow, padded like the forks.
        let start = blockSize + (second + blockSize - 1) / blockSize * blockSize
        guard start + length <= octets.count else {
            throw .truncated(MacFile.fileName(name))
        }
        self.init(name: name, dataFork: octets.slice(start..<start + length))
    }

    /// MacBinary II and III have a checksum. In the first version, the fields of the later ones are
    /// zero.
    private static func isMacBinary(_ header: BigEndian) -> Bool {
        guard header.bytes.count == blockSize, header.number(1, at: 0) == 0,
            let nameCount = header.number(1, at: 1), (1...63).contains(nameCount),
            header.number(1, at: 74) == 0
        else { return false }
        return header.number(2, at: 124) == MacChecksum.of(header.bytes[..<124])
            || header.number(1, at: 82) == 0 && header.bytes[99...].allSatisfy { $0 == 0 }
    }
}

private let blockSize = 128
