import Archives
import Bytes
import Platform

/// An archive of any format gives bounded files with harmless names; a stream gives the same as
/// memory.
func fuzzArchive(_ input: Input) {
    var input = input
    guard let format = FileSignature(input.bytes.span).flatMap(format) else { return }
    let inMemory = FoundMembers(ByteSource(SpooledBytes(input.bytes)), format)
    expect(inMemory.count <= FoundMembers.total, "\(input.bytes.count) bytes hold too much")
    guard !format.needsSeeking else { return }
    let stream = ShortReads(input.bytes, of: input.number(in: 1..<2000))
    let inStream = FoundMembers(ByteSource(stream: stream), format)
    expect(inMemory.files == inStream.files, "in a stream there is \(inStream), not \(inMemory)")
}

private func format(_ signature: FileSignature) -> ArchiveFormat? {
    signature == .zip ? .zip : ArchiveFormat(signature)
}

private struct FoundMembers {
    static let total = 4 << 20

    private(set) var files: [File] = []
    private(set) var count = 0

    struct File: Equatable {
        let name: String
        let bytes: [UInt8]
    }

    init(_ source: ByteSource, _ format: ArchiveFormat) {
        var limits = ArchiveLimits()
        (limits.total, limits.memory) = (FoundMembers.total, 1 << 20)
        (limits.directory, limits.entries) = (1 << 20, 1000)
        let archive = always { () throws(FileError) in
            try ArchiveReader(source, format, limits: limits)
        }
        while let entry = always({ () throws(FileError) in try archive.next() }) {
            guard case .file(let file) = entry else { continue }
            let bytes = file.body.bytes(bufferSize: 4096, limit: FoundMembers.total + 4096)
            count += bytes.count
            expectStreamSafe([file.name])
            if archive.isFileWhole { files.append(File(name: file.name, bytes: bytes)) }
        }
    }
}
