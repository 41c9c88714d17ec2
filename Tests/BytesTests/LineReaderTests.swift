import Bytes
import Glibc
import Platform
import Testing

@Suite("Joined runs of whole lines equal the source")
struct LineReaderTests {
    private static let sizes = [64, 65, 66, 67, 100, 127, 128, 129, 1000, 1024, 4096, 1 << 18]

    enum Kind: CaseIterable { case octets, file, pipe }

    @Test(arguments: Kind.allCases) func runs(kind: Kind) throws {
        var generator = SeededGenerator(state: 7)
        for size in Self.sizes {
            for longestLine in [1, 10, 63, 64, 65, 200, 3000] {
                let bytes = lines(upTo: longestLine, count: 20_000, &generator)
                try check(bytes, kind, size)
            }
            for count in 0..<6 { try check([UInt8](repeating: 0x0A, count: count), kind, size) }
            try check([UInt8](repeating: 0x78, count: size), kind, size)
            try check([UInt8](repeating: 0x78, count: size) + [0x0A], kind, size)
            try check([UInt8](repeating: 0x78, count: size - 1) + [0x0A], kind, size)
        }
    }

    private func check(_ bytes: [UInt8], _ kind: Kind, _ size: Int) throws {
        let (source, close) = try source(bytes, kind)
        defer { close() }
        var reader = LineReader(bufferSize: size)
        reader.open(source)
        var whole: [UInt8] = []
        var more = true
        while more {
            let offset = reader.offset
            #expect(offset == whole.count)
            let startsLine = reader.startsLine
            #expect(startsLine == (whole.isEmpty || whole.last == 0x0A))
            let before = whole.count
            more = try reader.next { run, isAtEnd in
                for index in run.indices { whole.append(run[index]) }
                let isCut = run.count == size && !Array(whole[before...]).contains(0x0A)
                #expect(run[run.count - 1] == 0x0A || isAtEnd || isCut)
                #expect(!isAtEnd || whole.count == bytes.count)
                return run.count
            }
        }
        #expect(whole == bytes)
    }

    @Test(arguments: Kind.allCases) func bytesThatAreNotTakenComeAgain(kind: Kind) throws {
        var generator = SeededGenerator(state: 8)
        let bytes = lines(upTo: 40, count: 10_000, &generator)
        let (source, close) = try source(bytes, kind)
        defer { close() }
        var reader = LineReader(bufferSize: 256)
        reader.open(source)
        var whole: [UInt8] = []
        while try reader.next({ run, _ in
            let taken = Int.random(in: 1...run.count, using: &generator)
            for index in 0..<taken { whole.append(run[index]) }
            return taken
        }) {
            let offset = reader.offset
            #expect(offset == whole.count)
        }
        #expect(whole == bytes)
    }

    @Test(arguments: Kind.allCases) func peekLooksAheadWithoutTaking(kind: Kind) throws {
        var generator = SeededGenerator(state: 9)
        let bytes = lines(upTo: 40, count: 20_000, &generator)
        let (source, close) = try source(bytes, kind)
        defer { close() }
        var reader = LineReader(bufferSize: 256)
        reader.open(source)
        var whole: [UInt8] = []
        while try reader.next({ run, _ in
            for index in run.indices { whole.append(run[index]) }
            return run.count
        }) {
            let place = whole.count + Int.random(in: 0..<3000, using: &generator)
            let ahead = try reader.peek(at: place, count: 50)
            #expect(ahead == Array(bytes.dropFirst(place).prefix(50)))
        }
        #expect(whole == bytes)
        let behind = try reader.peek(at: bytes.count + 10, count: 5)
        #expect(behind == [])
        let before = try reader.peek(at: 3, count: 5)
        #expect(before == nil)
    }

    @Test(arguments: Kind.allCases) func peekFarAheadIsNoTrap(kind: Kind) throws {
        let (source, close) = try source(Array("a\nb\n".utf8), kind)
        defer { close() }
        var reader = LineReader(bufferSize: 64)
        reader.open(source)
        for place in [Int.max, Int.max - 3, Int.min, -1] {
            let ahead = try? reader.peek(at: place, count: 50)
            #expect(ahead.flatMap { $0 }?.isEmpty != false)
        }
    }

    @Test func fromAPlaceOn() throws {
        var reader = LineReader(bufferSize: 64)
        reader.open(ByteSource(SpooledBytes(Array("abc\nd\n".utf8))), from: 2, startsLine: false)
        let startsLine = reader.startsLine
        #expect(!startsLine)
        var run: [UInt8] = []
        _ = try reader.next { bytes, _ in
            for index in bytes.indices { run.append(bytes[index]) }
            return bytes.count
        }
        #expect(run == Array("c\nd\n".utf8))
        let offset = reader.offset
        #expect(offset == 6)
    }

    private func lines(
        upTo longest: Int, count: Int, _ generator: inout SeededGenerator
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let length = Int.random(in: 0..<longest, using: &generator)
            for _ in 0..<length { bytes.append(UInt8.random(in: 0x0B...0xFF, using: &generator)) }
            bytes.append(0x0A)
        }
        if Bool.random(using: &generator) { bytes.removeLast() }
        return bytes
    }

    /// The bytes as a source, and the function that closes it.
    private func source(
        _ bytes: [UInt8], _ kind: Kind
    ) throws -> (source: ByteSource, close: () -> Void) {
        switch kind {
        case .octets: return (ByteSource(SpooledBytes(bytes)), {})
        case .file:
            let file = try FileDescriptor.temporary(in: "/tmp")
            try file.writeAll(bytes.span)
            return (ByteSource(file: file, size: bytes.count), { file.close() })
        case .pipe:
            // Written at once: the pipe holds all of it.
            var ends: [CInt] = [0, 0]
            try #require(unsafe pipe(&ends) == 0)
            let resizePipe: CInt = 1031  // F_SETPIPE_SZ, which the Glibc module does not have.
            let room = fcntl(ends[1], resizePipe, CInt(1 << 19))
            try #require(room >= bytes.count)
            let (reading, writing) = (FileDescriptor(ends[0]), FileDescriptor(ends[1]))
            let prefix = min(bytes.count, 10)
            try writing.writeAll(Array(bytes[prefix...]).span)
            writing.close()
            return (
                ByteSource(stream: reading, prefix: Array(bytes[..<prefix])), { reading.close() }
            )
        }
    }
}
