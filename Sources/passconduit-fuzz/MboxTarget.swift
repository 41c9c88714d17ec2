import Bytes
import MailSource
import Platform

/// A mailbox gives the same messages read at once, in ranges and in turns.
func fuzzMbox(_ input: Input) {
    var input = input
    if let repeated = input.repeated {
        var mailbox = ReadMailbox()
        mailbox.read(ByteSource(SpooledBytes(repeated)), 0..<repeated.count)
    }
    let source = ByteSource(SpooledBytes(input.bytes))
    let count = input.bytes.count
    var whole = ReadMailbox()
    whole.read(source, 0..<count)
    expect(whole.ends?.stop == nil, "something follows the end")
    expect(
        whole.messages.reduce(0) { $0 + $1.bytes.count } <= count,
        "the messages are larger than the mailbox")
    for (message, next) in zip(whole.messages, whole.messages.dropFirst()) {
        expect(message.offset < next.offset, "\(next.offset) comes behind \(message.offset)")
    }

    let place = input.number(in: 1..<max(2, count))
    let halves = ReadMailbox(source, splitAt: place, count)
    expect(halves == whole, "split at \(place) it has \(halves), read at once \(whole)")

    let piece = input.number(in: 1..<count + 2)
    let turns = ReadMailbox(source, inTurnsOf: piece, count)
    expect(turns == whole, "in turns of \(piece) it has \(turns), read at once \(whole)")

    // The smallest buffer that holds all lines that a decision needs.
    let size = input.number(in: 2048..<2048 + 64)
    var small = ReadMailbox(bufferSize: size)
    small.read(source, 0..<count)
    expect(small == whole, "a buffer of \(size) bytes reads \(small), a large one \(whole)")
}

private struct ReadMailbox: Equatable {
    private(set) var messages: [Message] = []
    private(set) var ends: MboxRangeEnds?
    private let bufferSize: Int

    struct Message: Equatable {
        let offset: Int
        var bytes: [UInt8] = []
    }

    static func == (one: ReadMailbox, other: ReadMailbox) -> Bool {
        one.messages == other.messages
    }

    init(bufferSize: Int = 256 << 10) {
        self.bufferSize = bufferSize
    }

    /// Joins ranges like the pipeline: the second is reread if the first ends at another offset.
    init(_ source: ByteSource, splitAt place: Int, _ count: Int) {
        self.init()
        read(source, 0..<place)
        guard let stop = ends?.stop else { return }
        var second = ReadMailbox()
        second.read(source, place..<count)
        if second.ends?.first != stop {
            second = ReadMailbox()
            second.read(source, stop..<count)
        }
        messages += second.messages
    }

    /// Reads like a stream: each turn reads the messages that begin in the next `piece` bytes, or
    /// fewer if full.
    init(_ source: ByteSource, inTurnsOf piece: Int, _ count: Int) {
        self.init()
        var reader = MailReader(bufferSize: bufferSize)
        var calls = 0
        let isFull = {
            calls += 1
            return calls.isMultiple(of: 3)
        }
        ends = always { () throws(FileError) in
            try reader.readMbox(source, range: 0..<piece, isFull: isFull) { event, bytes, _ in
                take(event, bytes)
            }
        }
        while ends?.stop != nil {
            ends = always { () throws(FileError) in
                try reader.readOn(source, upTo: reader.offset + piece, isFull: isFull) {
                    event, bytes, _ in take(event, bytes)
                }
            }
        }
    }

    mutating func read(_ source: ByteSource, _ range: Range<Int>) {
        var reader = MailReader(bufferSize: bufferSize)
        ends = always { () throws(FileError) in
            try reader.readMbox(source, range: range) { event, bytes, _ in take(event, bytes) }
        }
    }

    private mutating func take(_ event: MailEvent, _ bytes: Span<UInt8>) {
        switch event {
        case .began(let offset):
            messages.append(Message(offset: offset))
        case .lines(let range, _):
            guard let last = messages.indices.last else { stop("lines come before a message") }
            for index in range { messages[last].bytes.append(bytes[index]) }
        case .ended:
            expect(!messages.isEmpty, "a message ends that did not begin")
        }
    }
}
