import Bytes
import MIME
import MailSource
import PassDetection
import Platform

/// A message or mailbox inside another source, read in batches.
final class NestedMailbox {
    /// The findings in a message, or in the part of it that a batch covers.
    struct Message {
        let message: MessageReference
        /// The number of bytes read of the message.
        let size: Int
        var findings: [MessageDriver.Finding]
    }

    let format: MailFormat
    /// The number of parts since the last batch, multiparts excluded.
    private(set) var partCount = 0
    /// The number of messages begun since the last batch.
    private(set) var messageCount = 0
    /// Whether it contains more messages than allowed; the rest is not read.
    private(set) var isCut = false
    /// The number of its first message within the enclosing archive.
    let firstNumber: Int
    /// Whether it is the decoded text of a part, which was searched for links.
    let isText: Bool

    private var cursor: MailboxCursor
    private var reader = MailReader()
    private var driver: MessageDriver
    private var isOver = false
    private var batch: [Message] = []
    /// The size of the parts in the batch, in bytes.
    private var held = 0

    /// The maximum size of a batch, and of the parts in it, in bytes.
    private static let batchSize = 1 << 20
    /// The maximum number of messages with findings in a batch.
    private static let batchCount = 64

    init(
        _ source: ByteSource, _ format: MailFormat, firstNumber: Int, isText: Bool = false,
        _ options: ImportOptions
    ) {
        self.format = format
        self.firstNumber = firstNumber
        self.isText = isText
        cursor = MailboxCursor(source, format)
        // The time is counted with that of the enclosing source.
        driver = MessageDriver(options, isTimed: false, wantsText: !isText)
        driver.isDbox = format == .framed(.dbox)
    }

    /// The messages of the next batch, at most `most`; nil at the end.
    func next(messages most: Int) throws(FileError) -> [Message]? {
        guard !isOver, !isCut else { return nil }
        (batch, held, partCount, messageCount) = ([], 0, 0, 0)
        isOver = try cursor.readOn(
            with: &reader, size: NestedMailbox.batchSize,
            isFull: {
                self.batch.count >= NestedMailbox.batchCount || self.held >= NestedMailbox.batchSize
            },
            body: { event, bytes, marks in self.take(event, bytes, marks, most) })
        return batch
    }

    private func take(
        _ event: MailEvent, _ bytes: Span<UInt8>, _ marks: borrowing LineMarks, _ most: Int
    ) {
        guard !isCut else { return }
        switch event {
        case .began(let offset):
            guard messageCount < most else {
                isCut = true
                return
            }
            messageCount += 1
            driver.begin(at: offset, isInMailbox: format.isMailbox)
        case .lines(let range, let startsLine):
            driver.feed(bytes, range, marks, startsLine: startsLine) { self.add($1, &$0) }
        case .ended:
            driver.end { self.add($1, &$0) }
            partCount += driver.partCount
        }
    }

    private func add(_ finding: MessageDriver.Finding, _ driver: inout MessageDriver) {
        if case .part(let part, _) = finding { held += part.body.count }
        if let last = batch.indices.last, batch[last].message.index == driver.index,
            batch[last].size == driver.size
        {
            batch[last].findings.append(finding)
        } else {
            batch.append(
                Message(message: driver.message, size: driver.size, findings: [finding]))
        }
    }
}
