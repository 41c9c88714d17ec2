import Bytes
import MIME
import MailSource
import PassDetection

/// A mail or a mailbox that lies in something else, read piece by piece.
final class NestedMailbox {
    /// What was found in a message of it, or in a piece of one.
    struct Letter {
        let message: MessageReference
        let parts: [CollectedPart]
        let problems: [MIMEProblem]
    }

    let kind: SourceKind
    /// Parts that are no multipart, since the last piece.
    private(set) var partCount = 0

    private let source: ByteSource
    private var reader = MailReader()
    private var parser: MessageParser
    private var index = -1
    private var offset = 0
    private var hasBegun = false
    private var isOver = false

    /// How much of a mailbox is one piece, in bytes.
    private static let piece = 1 << 20

    init(_ source: ByteSource, _ kind: SourceKind, _ options: ImportOptions) {
        self.source = source
        self.kind = kind
        parser = options.messageParser()
    }

    /// The letters of the next piece; nil at the end.
    func next() throws(FileError) -> [Letter]? {
        guard !isOver else { return nil }
        var letters: [Letter] = []
        partCount = 0
        if kind != .mbox {
            if !hasBegun {
                try reader.begin(source, as: kind) { take($0, $1, $2, into: &letters) }
            }
            isOver = try !reader.readMore { take($0, $1, $2, into: &letters) }
        } else if hasBegun {
            let ends = try reader.readOn(source, upTo: reader.offset + NestedMailbox.piece) {
                take($0, $1, $2, into: &letters)
            }
            isOver = ends.stop == nil
        } else {
            let ends = try reader.readMbox(source, range: 0..<NestedMailbox.piece) {
                take($0, $1, $2, into: &letters)
            }
            isOver = ends.stop == nil
        }
        hasBegun = true
        return letters
    }

    private func take(
        _ event: MailEvent, _ bytes: Span<UInt8>, _ marks: borrowing LineMarks,
        into letters: inout [Letter]
    ) {
        switch event {
        case .began(let offset):
            index += 1
            self.offset = offset
            parser.begin(isInMbox: kind.isMailbox)
        case .lines(let range, let startsLine):
            parser.feed(bytes, range, marks: marks, startsLine: startsLine)
        case .ended:
            parser.finish()
            partCount += parser.partCount
        }
        guard parser.hasFindings else { return }
        letters.append(
            Letter(
                message: MessageReference(parser.header, index: index, offset: offset),
                parts: parser.takeParts(), problems: parser.takeProblems()))
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
