import Archives
import Bytes
import Platform

/// A tar archive gives the same files from memory and from a stream, within its size.
func fuzzTar(_ input: Input) {
    var input = input
    let bytes = withChecksums(input.bytes)
    let inMemory = FoundFiles(ByteSource(SpooledBytes(bytes)), bufferSize: 4096)
    let count = inMemory.files.reduce(0) { $0 + $1.bytes.count }
    // Holes of sparse files are zeros in the files.
    let mayBeSparse =
        bytes.indices.contains { bytes.span.hasPrefix("GNU.sparse", at: $0) }
        || stride(from: 156, to: bytes.count, by: 512).contains { bytes[$0] == UInt8(ascii: "S") }
    expect(count <= bytes.count || mayBeSparse, "\(bytes.count) bytes hold \(count)")
    expect(inMemory.files.count <= bytes.count / 512, "\(inMemory.files.count) files")
    let stream = ShortReads(bytes, of: input.number(in: 1..<2000))
    let inStream = FoundFiles(ByteSource(stream: stream), bufferSize: input.number(in: 1..<600))
    expect(inMemory == inStream, "in a stream there is \(inStream), in memory \(inMemory)")
}

/// Corrects the checksums, since random headers would all be rejected.
private func withChecksums(_ input: [UInt8]) -> [UInt8] {
    var bytes = input
    for start in stride(from: 0, to: bytes.count - 511, by: 512) {
        // Wherever a checksum may be: six digits and a NUL.
        guard bytes[start + 154] == 0, (0x30...0x37).contains(bytes[start + 148]) else { continue }
        for index in 148..<156 { bytes[start + index] = 0x20 }
        let sum = bytes[start..<start + 512].reduce(0) { $0 + Int($1) }
        for place in 0..<6 {
            bytes[start + 148 + place] = UInt8(0x30 + sum >> (15 - 3 * place) & 7)
        }
        bytes[start + 154] = 0
    }
    return bytes
}

private struct FoundFiles: Equatable {
    private(set) var files: [File] = []
    private var problems: [ArchiveError] = []

    struct File: Equatable {
        let name: String
        let size: Int?
        let bytes: [UInt8]
    }

    init(_ source: ByteSource, bufferSize: Int) {
        let reader = always { () throws(FileError) in try ArchiveReader(source, .tar) }
        while let entry = always({ () throws(FileError) in try reader.next() }) {
            switch entry {
            case .file(let file):
                let bytes = file.body.bytes(bufferSize: bufferSize, limit: 1 << 20)
                expect(bytes.count <= file.size ?? 0, "\(file.name) is larger than it says")
                expectStreamSafe([file.name])
                // Reading ends with the piece that passes the limit.
                let first = Array(bytes.prefix(1 << 20))
                files.append(File(name: file.name, size: file.size, bytes: first))
            case .problem(let problem): problems.append(problem)
            case .encrypted: break
            case .links: _ = reader.takeLinks()
            }
        }
    }
}
