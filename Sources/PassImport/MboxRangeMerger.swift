import MailSource

/// Joins the ranges of an mbox that were read apart.
///
/// A range is read from the first separator in it. Whether that is one, the message before it may
/// know better (its Content-Length may span it); then the range is read again, from where that
/// message ends. So the result is the one of reading from front to back.
struct MboxRangeMerger {
    private var mailbox: Mailbox?

    private struct Mailbox {
        let path: Path
        /// How many messages there were so far, and before the range at hand.
        var messages = 0
        var before = 0
        /// Where the next message begins; nil at the end.
        var next: Int?
        /// Whether that is unknown, because the range before could not be read.
        var isLost = false
    }

    mutating func join(
        _ result: WorkResult, of work: Work, again: (Work) -> WorkResult
    ) -> WorkResult {
        guard case .mbox(let file, let range, let stretch) = work else {
            mailbox = nil
            return result
        }
        var result = result
        if range.lowerBound == stretch.range.lowerBound || mailbox?.path != file.path {
            mailbox = Mailbox(path: file.path, messages: stretch.index)
        } else if mailbox?.isLost == true {
            // Its own first separator is the best there is.
        } else if let next = mailbox?.next, next < range.upperBound {
            if result.ends?.first != next {
                result = again(.mbox(file, next..<range.upperBound, of: stretch))
                result.sources = 0
                result.bytes = range.count
            }
        } else {
            // A message before goes on through this range.
            result = WorkResult(source: result.source, bytes: range.count)
            return result
        }
        if let messages = mailbox?.messages { mailbox?.before = messages }
        mailbox?.isLost = false
        count(&result)
        return result
    }

    /// Counts the messages of a result, which are of the range that was joined last.
    mutating func count(_ result: inout WorkResult) {
        result.countMessages(from: mailbox?.before ?? 0)
        mailbox?.messages += result.messages
        mailbox?.next = result.ends?.stop
        // A result that was full when reading failed is followed by the rest of what was found.
        if result.isCutOff { mailbox?.isLost = true }
    }
}
