import Platform
import Testing

@Suite("Messages between two programs arrive complete or not at all")
struct MessagesTests {
    @Test("several messages arrive in order")
    func messages() throws {
        let (reading, writing) = try FileDescriptor.pipe()
        defer { reading.close() }
        for message in [[], [1], Array(repeating: 7, count: 10_000)] as [[UInt8]] {
            try writing.writeMessage(message.span)
            #expect(try reading.readMessage(limit: 10_000) == message)
        }
        writing.close()
        #expect(try reading.readMessage(limit: 10_000) == nil)
    }

    @Test(
        "a partial message is dropped",
        arguments: [[5], [5, 0, 0, 0, 0, 0, 0, 0], [5, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4]]
            as [[UInt8]]
    )
    func halves(bytes: [UInt8]) throws {
        let (reading, writing) = try FileDescriptor.pipe()
        defer { reading.close() }
        try writing.writeAll(bytes.span)
        writing.close()
        #expect(try reading.readMessage(limit: 10_000) == nil)
    }

    @Test("a message above the limit is refused before memory is allocated")
    func limit() throws {
        let (reading, writing) = try FileDescriptor.pipe()
        defer { reading.close() }
        try writing.writeAll(([255, 255, 255, 255, 255, 255, 255, 255] as [UInt8]).span)
        writing.close()
        #expect(throws: FileError.self) { try reading.readMessage(limit: 10_000) }
    }
}
