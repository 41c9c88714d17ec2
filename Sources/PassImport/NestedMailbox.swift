import Bytes
import MIME
import MailSource
import PassDetection
import Platform

/// A message or mailbox inside another source, read piece by piece.
final class NestedMailbox {
    /// The findings in a message, or in one piece of it.
    struct Message {
        let message: MessageReference
        /// The number of bytes read of the message.
        let size: Int
        let parts: [CollectedPart]
        let problems: [MIMEProblem]
    }

    let kind: SourceKind
    /// The number of parts since the last piece, multiparts excluded.
    private(set) var partCount = 0
    /// The number of messages begun since the last piece.
    private(set) var messageCount = 0
    /// Whether it contains more messages than allowed; the rest is not read.
    private(set) var isCut = false

    /// The number of its first message within the enclosing archive.
    var firstNumber: Int?

    private let source: ByteSource
    private var reader = MailReader()
    private var parser: MessageParser
    private var index = -1
    private var offset = 0
    /// The bytes read of the current message, and its header.
    private var size = 0
    private var reference: MessageReference?
    private var mostMessages = 0
    private var hasBegun = false
    private var isOver = false

    /// The size of a piece, and of the findings in it, in bytes.
    private static let piece = 1 << 20
    /// The number of messages with findings in one piece.
    private static let batchSize = 64

    init(_ source: ByteSource, _ kind: SourceKind, _ options: ImportOptions) {
        self.source = source
        self.kind = kind
        parser = options.messageParser()
    }

    /// The messages of the next batch, at most `most`; nil at the end.
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
    /// A parser that collects the parts of a message that may be passes.
    func messageParser() -> MessageParser {
        let types = types
        return MessageParser(limits: mime, spool: spool, wantsText: links != nil) {
            !types.evidence($0).isEmpty
        }
    }
}
