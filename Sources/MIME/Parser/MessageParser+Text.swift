import Bytes
import Platform

/// Collecting the text of parts, in addition to files.
extension MessageParser {
    /// Begins to collect the text of the current part, if its header declares text.
    mutating func beginText(_ block: HeaderBlock) {
        guard let form = TextForm(block, leaf.header, limits: limits) else { return }
        text = PartCollector(.text(form), spool: spool, limit: limits.partBody)
    }

    mutating func keepText(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        text?.append(bytes, range)
    }

    mutating func endText(byDelimiter: Bool) {
        guard let collected = text.take() else { return }
        do throws(FileError) {
            let isCut = collected.isCut
            let kind = collected.kind
            let body = try collected.finish(withoutLineEnd: byDelimiter || isInMbox)
            if isCut {
                report(.partTooLarge(limit: limits.partBody), leaf.number)
            }
            guard !body.isEmpty else { return }
            parts.append(
                CollectedPart(
                    number: leaf.number, header: leaf.header, kind: kind, body: body,
                    isCut: isCut, isInMbox: isInMbox))
        } catch {
            report(.unreadable(error), leaf.number)
        }
    }
}
