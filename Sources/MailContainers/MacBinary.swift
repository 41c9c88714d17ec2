package import Bytes

/// MacBinary: a header of 128 bytes, then the forks, padded to multiples of 128 bytes. It has no
/// magic number; ``MacSignature`` recognises it by its checksum.
extension MacFile {
    package init(macBinary octets: SpooledBytes) throws(MacFileError) {
        let header = try BigEndian(octets, 0..<blockSize)
        guard MacSignature.isMacBinary(header.bytes.span), let nameCount = header.number(1, at: 1),
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
}

private let blockSize = 128
