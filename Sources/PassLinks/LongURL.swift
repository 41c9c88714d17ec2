import Bytes
import PassDetection

/// A URL of which only the beginning is kept while its end is being searched for.
struct LongURL {
    let enclosure: LinkEnclosure
    /// The length of the part that is kept, in bytes.
    let limit: Int
    /// Nil if the evidence is determined from the kept beginning.
    var evidence: Evidence?
    private(set) var head: [UInt8] = []
    /// The length of the URL so far, in bytes.
    private(set) var size = 0
    /// FNV-1a of the whole URL, to distinguish URLs with the same beginning.
    private(set) var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    private var data = DividedData()

    init(enclosure: LinkEnclosure, limit: Int, evidence: Evidence? = nil) {
        self.enclosure = enclosure
        self.limit = limit
        self.evidence = evidence
    }

    /// Advances to the end of the URL, or of the available bytes.
    mutating func take(
        _ source: Span<UInt8>, from start: Int, isAtEnd: Bool
    ) -> (place: Int, hasEnded: Bool) {
        var place = start
        while place < source.count {
            switch enclosure.ends(at: place, source, isAtEnd: isAtEnd) {
            case .some(false):
                append(source[place])
                place += 1
            case .some(true):
                guard evidence != nil, source[place].isWhiteSpace else { return (place, true) }
                switch data.next(after: place, source, enclosure, isAtEnd: isAtEnd) {
                case .line(let next): place = next
                case .none: return (place, true)
                case .unfinished: return (place, false)
                }
            case .none: return (place, false)
            }
        }
        return (place, false)
    }

    private mutating func append(_ byte: UInt8) {
        guard !byte.isWhiteSpace else { return }
        if evidence != nil { data.take(byte) }
        if head.count < limit { head.append(byte) }
        size += 1
        hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }
}
