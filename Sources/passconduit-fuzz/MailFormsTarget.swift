import Bytes
import MailSource
import Platform

/// Mail of any kind gives the same messages whatever the buffer size.
func fuzzMailForms(_ input: Input) {
    var input = input
    if let repeated = input.repeated { _ = ReadMail(repeated) }
    let whole = ReadMail(input.bytes)
    // A compressed message gets a header, and the header of MBX is longer than a small buffer.
    if case .framed(let framing) = whole.format, framing == .dbox || framing == .mbx { return }
    expect(whole.isInOrder, "the steps come in another order")
    expect(
        whole.messages.reduce(0) { $0 + $1.count } <= whole.size,
        "the messages are larger than their source")
    // The buffer must hold all lines that a decision needs.
    let size = input.number(in: 256..<512)
    if case .mbox = whole.format { return }
    let small = ReadMail(input.bytes, bufferSize: size)
    expect(small == whole, "a buffer of \(size) bytes reads \(small), a large one \(whole)")
}

private struct ReadMail: Equatable {
    private(set) var format: MailFormat
    /// The size of the source, after repair.
    private(set) var size: Int
    private(set) var messages: [[UInt8]] = []
    private(set) var offsets: [Int] = []
    private(set) var isInOrder = true
    private var isOpen = false

    init(_ bytes: [UInt8], bufferSize: Int = 256 << 10) {
        var source = ByteSource(SpooledBytes(bytes))
        if MailRepair.repaired(bytes.span) != nil {
            source = always { () throws(FileError) in
                ByteSource(try MailRepair.repaired(source, SpoolPolicy(memory: .max)))
            }
        }
        size = source.size ?? 0
        let head = always { () throws(FileError) in try ContentHead(of: source) }
        format = MailFormat(head.bytes.span) ?? .message
        var reader = MailReader(bufferSize: bufferSize)
        let format = format
        always { () throws(FileError) in
            try reader.read(source, as: format) { event, bytes, _ in take(event, bytes) }
        }
    }

    private mutating func take(_ event: MailEvent, _ bytes: Span<UInt8>) {
        switch event {
        case .began(let offset):
            if isOpen || offset < offsets.last ?? 0 { isInOrder = false }
            isOpen = true
            offsets.append(offset)
            messages.append([])
        case .lines(let range, let startsLine):
            guard isOpen, !range.isEmpty, let last = messages.indices.last else {
                isInOrder = false
                return
            }
            // A removed dot also began a line.
            if startsLine, let before = messages[last].last, before != 0x0A { isInOrder = false }
            for index in range { messages[last].append(bytes[index]) }
        case .ended:
            if !isOpen { isInOrder = false }
            isOpen = false
        }
    }
}
