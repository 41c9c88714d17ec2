import MIME
import MailSource

/// Merges the ranges of an mbox that were read separately.
///
/// A range is read from its first separator. If the message before it spans that separator
/// (according to its Content-Length), the range is reread from the end of that message. It is also
/// reread if a part of that message may follow its first separator (VIOLATIONS.md, B21). The result
/// is the same as reading sequentially.
struct MboxRangeMerger {
    private var mailbox: Mailbox?

    private struct Mailbox {
        let path: Path
        /// The number of messages so far, and before the current range.
        var messages = 0
        var before = 0
        /// The offset of the next message; nil at the end.
        var next: Int?
        /// What the messages so far leave to the following ones.
        var unclosed = OpenEntities()
        /// Whether the offset is unknown, because the previous range could not be read.
        var isLost = false
    }

    mutating func join(
        _ result: WorkResult, of work: Work, again: (Work) -> WorkResult
    ) -> WorkResult {
        guard case .mbox(let file, let range, let stretch, _) = work else {
            mailbox = nil
            return result
        }
        var result = result
        if range.lowerBound == stretch.range.lowerBound || mailbox?.path != file.path {
            mailbox = Mailbox(path: file.path, messages: stretch.index)
        } else if mailbox?.isLost == true {
            // Accept the first separator of the range.
        } else if let next = mailbox?.next, next < range.upperBound {
            let unclosed = mailbox?.unclosed ?? OpenEntities()
            let mayDiffer =
                result.dependsOnEarlier || result.rest != nil && result.isEarlierUnknown
            if result.ends?.first != next || mayDiffer && !unclosed.isEmpty {
                result = again(.mbox(file, next..<range.upperBound, of: stretch, after: unclosed))
                result.sources = 0
                result.bytes = range.count
            }
        } else {
            // A message of an earlier range spans this range.
            result = WorkResult(source: result.source, bytes: range.count)
            return result
        }
        if let messages = mailbox?.messages { mailbox?.before = messages }
        mailbox?.isLost = false
        count(&result)
        return result
    }

    /// Counts the messages of a result in the range merged last.
    mutating func count(_ result: inout WorkResult) {
        result.countMessages(from: mailbox?.before ?? 0)
        mailbox?.messages += result.messages
        mailbox?.next = result.ends?.stop
        if let unclosed = result.unclosed {
            mailbox?.unclosed = unclosed
        } else {
            mailbox?.unclosed.laterMessages += result.messages
            result.unclosed = mailbox?.unclosed
        }
        // If reading failed while the result was full, another result follows.
        if result.isCutOff { mailbox?.isLost = true }
    }
}
