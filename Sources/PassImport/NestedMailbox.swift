import Bytes
import MIME
import MailSource
import PassDetection

/// A mail or a mailbox that lies in something else, read piece by piece.
final class NestedMailbox {
    /// What was found in a message of it, or in a piece of one.
    struct Message {
        let message: MessageReference
        /// How much of the message was read, in bytes.
        let size: Int
        let parts: [CollectedPart]
        let problems: [MIMEProblem]
    }

    let kind: SourceKind
    /// Parts that are no multipart, since the last piece.
    private(set) var partCount = 0
    /// Messages that began, since the last piece.
    private(set) var messageCount = 0
    /// Whether it holds more messages than were allowed; the rest is not read.
    private(set) var isCut = false

    /// The number of its first message among those of the archive that it lies in.
    var firstNumber: Int?

    private let source: ByteSource
    private var reader = MailReader()
    private var parser: MessageParser
    private var index = -1
    private var offset = 0
    /// Of the message at hand: how much was read, in bytes, and what its header says.
    private var size = 0
    private var reference: MessageReference?
    private var mostMessages = 0
    private var hasBegun = false
    private var isOver = false

    /// How much of a mailbox is one piece, in bytes, and of what is found in it.
    private static let piece = 1 << 20
    /// How many messages in which something was found are one piece.
    private static let batchSize = 64

    init(_ source: ByteSource, _ kind: SourceKind, _ options: ImportOptions) {
        self.source = source
        self.kind = kind
        parser = options.messageParser()
    }

    /// The messages of the next batch, with no more messages than are allowed; nil at the end.
    func next(messages most: Int) throws(FileError) -> [Message]? {
        guard !isOver, !isCut else { return nil }
        mostMessages = most
        var batch: [Message] = []
        var held = 0
        partCount = 0
        messageCount = 0
        func isFull() -> Bool {
            batch.count >= NestedMailbox.batchSize || held >= NestedMailbox.piece
        }
        if kind != .mbox {
            if !hasBegun {
                try reader.begin(source, as: kind) { take($0, $1, $2, into: &batch, &held) }
            }
            isOver = try !reader.readMore { take($0, $1, $2, into: &batch, &held) }
        } else if hasBegun {
            let ends = try reader.readOn(
                source, upTo: reader.offset + NestedMailbox.piece, isFull: isFull
            ) {
                take($0, $1, $2, into: &batch, &held)
            }
            isOver = ends.stop == nil && !reader.isPaused
        } else {
            let ends = try reader.readMbox(
                source, range: 0..<NestedMailbox.piece, isFull: isFull
            ) {
                take($0, $1, $2, into: &batch, &held)
            }
            isOver = ends.stop == nil && !reader.isPaused
        }
        hasBegun = true
        return batch
    }

    private func take(
        _ event: MailEvent, _ bytes: Span<UInt8>, _ marks: borrowing LineMarks,
        into batch: inout [Message], _ held: inout Int
    ) {
        guard !isCut else { return }
        switch event {
        case .began(let offset):
            guard messageCount < mostMessages else {
                isCut = true
                return
            }
            index += 1
            messageCount += 1
            size = 0
            reference = nil
            self.offset = offset
            parser.begin(isInMbox: kind.isMailbox)
        case .lines(let range, let startsLine):
            size += range.count
            parser.feed(bytes, range, marks: marks, startsLine: startsLine)
        case .ended:
            parser.finish()
            partCount += parser.partCount
        }
        guard parser.hasFindings else { return }
        let parts = parser.takeParts()
        held += parts.reduce(0) { $0 + $1.body.count }
        let message =
            reference ?? MessageReference(parser.header, index: index, offset: offset)
        reference = message
        batch.append(
            Message(message: message, size: size, parts: parts, problems: parser.takeProblems()))
    }
}

extension ImportOptions {
    /// A parser that keeps the parts of a message in which passes may be.
    func messageParser() -> MessageParser {
        let types = types
        return MessageParser(limits: mime, spool: spool, wantsText: links != nil) {
            !types.evidence($0).isEmpty
        }
    }
}
