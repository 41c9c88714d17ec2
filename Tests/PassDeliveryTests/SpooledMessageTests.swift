import Bytes
import Foundation
import Platform
import Testing

@testable import PassDelivery

@Suite("A message from standard input can be read again")
struct SpooledMessageTests {
    static let sizes = [0, 1, 4096, (256 << 10) - 1, 256 << 10, (256 << 10) + 1, 1_000_003]

    @Test("it is read once for the search, and then as a file", arguments: sizes)
    func twice(size: Int) throws {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        let pipe = Pipe()
        let writer = Task.detached {
            try pipe.fileHandleForWriting.write(contentsOf: Data(bytes))
            try pipe.fileHandleForWriting.close()
        }
        defer { writer.cancel() }
        let stream = FileDescriptor(pipe.fileHandleForReading.fileDescriptor)
        var message = SpooledMessage(stream, places: ["/tmp"])
        message.read()

        let source = message.readOnly().source
        let prefix = try source.prefix(4096)
        #expect(prefix == Array(bytes.prefix(4096)))
        var read: [UInt8] = []
        var reader = LineReader()
        reader.open(source)
        while try reader.next({ bytes, _ in
            for index in bytes.indices { read.append(bytes[index]) }
            return bytes.count
        }) {}
        #expect(read == bytes)

        let file = try message.wholeFile()
        let whole = FileHandle(fileDescriptor: file.number).readDataToEndOfFile()
        #expect(Array(whole) == bytes)
    }

    @Test("it cannot be read again without space to store it")
    func noPlace() throws {
        let input = FileHandle(forReadingAtPath: "/dev/null")
        let stream = FileDescriptor(try #require(input).fileDescriptor)
        var message = SpooledMessage(stream, places: ["/nowhere/at/all"])
        message.read()
        do throws(FileError) {
            _ = try message.wholeFile()
            Issue.record("it was kept")
        } catch {
            #expect(error.code == ENOENT)
        }
    }
}
