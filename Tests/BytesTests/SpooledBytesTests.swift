import Bytes
import Platform
import Testing

@Suite("Bytes are the same in memory and in a file")
struct SpooledBytesTests {
    /// Around the size at which they move to a file.
    @Test(arguments: [0, 1, 99, 100, 101, 199, 200, 201, 1000])
    func aroundTheEdge(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        for piece in [1, 7, 99, 100, 101, 1000] {
            var writer = OctetsWriter(SpoolPolicy(memory: 100, directories: ["/tmp"]))
            for start in stride(from: 0, to: count, by: piece) {
                let slice = Array(bytes[start..<min(start + piece, count)])
                if start % 2 == 0 {
                    try writer.append(slice)
                } else {
                    try writer.append(slice.span)
                }
                let written = writer.count
                #expect(written == min(start + piece, count))
            }
            try check(try writer.finish(), bytes)
        }
    }

    private func check(_ octets: SpooledBytes, _ bytes: [UInt8]) throws {
        let count = bytes.count
        #expect(octets.count == count)
        #expect(octets.isEmpty == bytes.isEmpty)
        #expect(try octets.array() == bytes)
        for start in [0, 1, count / 2, count - 1, count, count + 5] where start >= 0 {
            let expected = Array(bytes.dropFirst(start).prefix(50))
            #expect(try octets.array(start..<start + 50) == expected)
            let slice = octets.slice(start..<start + 50)
            #expect(slice.count == expected.count)
            #expect(try slice.array() == expected)
            #expect(try slice.slice(1..<9).array() == Array(expected.dropFirst().prefix(8)))
        }
        for size in [1, 33, 100, 5000] {
            var whole: [UInt8] = []
            try octets.forEachPiece(of: size) { piece in
                for index in piece.indices { whole.append(piece[index]) }
                return true
            }
            #expect(whole == bytes)
        }
    }

    @Test func noDirectoryHoldsThem() throws {
        var writer = OctetsWriter(SpoolPolicy(memory: 4, directories: ["/nonexistent", "/proc"]))
        #expect(throws: FileError.self) { try writer.append([1, 2, 3, 4, 5]) }
    }

    @Test func theFirstDirectoryThatWorksHoldsThem() throws {
        var writer = OctetsWriter(SpoolPolicy(memory: 4, directories: ["/nonexistent", "/tmp"]))
        try writer.append([1, 2, 3, 4, 5])
        #expect(try writer.finish().array() == [1, 2, 3, 4, 5])
    }

    @Test func limitOfASource() throws {
        let source = ByteSource(SpooledBytes([UInt8](repeating: 1, count: 1000)))
        #expect(try source.octets(limit: 999, SpoolPolicy()) == nil)
        #expect(try source.octets(limit: 1000, SpoolPolicy())?.count == 1000)
        #expect(try source.prefix(3) == [1, 1, 1])
        #expect(try source.prefix(2000).count == 1000)
    }
}
