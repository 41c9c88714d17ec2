import Bytes
import Platform

/// Collects the body of a part as it arrives.
struct PartCollector: ~Copyable {
    var kind: CollectedPart.Kind
    private(set) var isCut = false

    private let limit: Int
    private var octets: OctetsWriter
    /// A line end that belongs to the body only if more of the body follows.
    private var lineEnd: [UInt8] = []
    private var failure: FileError?
    /// The number of bytes at the end that turned out not to belong to the part.
    private var excess = 0

    init(_ kind: CollectedPart.Kind, spool: SpoolPolicy, limit: Int) {
        self.kind = kind
        self.limit = limit
        octets = OctetsWriter(spool)
    }

    mutating func append(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        guard !range.isEmpty, !isCut, failure == nil else { return }
        guard octets.count + range.count <= limit else {
            isCut = true
            return
        }
        do throws(FileError) {
            // RFC 2046, 5.1.1: the line end before a delimiter belongs to the delimiter. The reader
            // may cut an overlong line anywhere, even within its CRLF.
            var end = range.upperBound
            let endsLine = bytes[end - 1] == UInt8(ascii: "\n")
            if endsLine { end -= 1 }
            if end > range.lowerBound, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
            let completes = endsLine && end == range.lowerBound && range.count == 1
            if !(completes && lineEnd == [0x0D]) {
                if !lineEnd.isEmpty { try octets.append(lineEnd) }
                lineEnd.removeAll(keepingCapacity: true)
            }
            try octets.append(bytes.extracting(range.lowerBound..<end))
            for index in end..<range.upperBound { lineEnd.append(bytes[index]) }
        } catch {
            failure = error
        }
    }

    /// Removes `count` bytes from the end.
    mutating func dropLast(_ count: Int) {
        excess += max(count, 0)
    }

    consuming func finish(withoutLineEnd: Bool) throws(FileError) -> SpooledBytes {
        if let failure { throw failure }
        if excess > 0 || !withoutLineEnd, !lineEnd.isEmpty { try octets.append(lineEnd) }
        let excess = excess
        let whole = try octets.finish()
        guard excess > 0 else { return whole }
        let rest = whole.slice(0..<max(whole.count - excess, 0))
        let end = try rest.array(max(rest.count - 2, 0)..<rest.count)
        let lineEnd = end.count - end.span.withoutLineEnding(0..<end.count).count
        return rest.slice(0..<rest.count - lineEnd)
    }
}
