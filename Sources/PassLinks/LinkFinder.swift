import Bytes
import MIME
package import PassDetection

/// Finds links to passes in a text that arrives in pieces, without network access.
///
/// One pass: each byte is examined a fixed number of times, and at most one URL is held. A URL may
/// begin anywhere; the text before it determines where it ends (`LinkEnclosure`).
package struct LinkFinder {
    /// In order of appearance, without duplicates.
    package private(set) var links: [Link] = []
    /// Whether there were more links than the limit.
    package private(set) var hasMore = false
    /// Whether a URL exceeded the limit, so that its end was not examined.
    package private(set) var hasLongURL = false

    private let isHTML: Bool
    private let limits: LinkLimits
    private let passURL: PassURL
    private var references = CharacterReferences()

    /// The text not searched yet, after the last `lookBehind` bytes searched.
    private var text: [UInt8] = []
    private var position = 0
    private var measured: LongURL?
    private var seen: Set<Identity> = []
    /// The size of the `data:` URLs kept so far, in bytes.
    private var dataSize = 0

    /// The length of the searched text that is kept, in bytes, since the enclosure depends on it.
    private static let lookBehind = 64

    private struct Identity: Hashable {
        let url: [UInt8]
        var hash: UInt64 = 0
    }

    package init(isHTML: Bool, types: TypeMap, limits: LinkLimits = LinkLimits()) {
        self.isHTML = isHTML
        self.limits = limits
        passURL = PassURL(types)
    }

    /// The evidence in a single URL.
    package static func evidence(of url: [UInt8], types: TypeMap) -> Evidence {
        PassURL(types).evidence(url)
    }

    /// Searches the next piece of the text, in UTF-8.
    package mutating func feed(_ piece: Span<UInt8>) {
        var start = 0
        while start < piece.count {
            let range = start..<min(start + 64 << 10, piece.count)
            if isHTML {
                references.replace(piece, range, into: &text)
            } else {
                text.append(piece, range)
            }
            search(isAtEnd: false)
            text.removeFirst(max(0, position - LinkFinder.lookBehind))
            position = min(position, LinkFinder.lookBehind)
            start = range.upperBound
        }
    }

    /// Ends the text.
    package mutating func finish() {
        references.finish(into: &text)
        search(isAtEnd: true)
        if let url = measured.take() { add(url) }
        text = []
        position = 0
    }

    private mutating func search(isAtEnd: Bool) {
        while position < text.count {
            if var url = measured.take() {
                let (place, hasEnded) = url.take(text.span, from: position, isAtEnd: isAtEnd)
                position = place
                guard hasEnded else {
                    measured = url
                    return
                }
                add(url)
            } else {
                let (place, start) = nextStart(isAtEnd)
                position = place
                guard let start, take(from: start, isAtEnd) else { return }
            }
        }
    }

    /// The next start of a URL and the offset of its mark; no start if there is none, or if more
    /// bytes are needed.
    private func nextStart(_ isAtEnd: Bool) -> (place: Int, start: LinkStart?) {
        let source = text.span
        for place in position..<source.count {
            let byte = source[place]
            guard byte == UInt8(ascii: ":") || isHTML && byte == UInt8(ascii: "/") else {
                continue
            }
            switch LinkStart.look(at: place, source, isHTML: isHTML) {
            case .start(let start): return (place, start)
            case .none: break
            case .unfinished: if !isAtEnd { return (place, nil) }
            }
        }
        return (source.count, nil)
    }

    /// Reads the URL that begins at `start`; false if its end is not available yet.
    private mutating func take(from start: LinkStart, _ isAtEnd: Bool) -> Bool {
        if let type = start.dataType {
            let evidence = passURL.evidence(dataType: Array(text[type]))
            if evidence.isEmpty {
                position = type.upperBound
            } else {
                let limit = min(limits.dataHead, max(limits.data - dataSize, 256))
                measured = LongURL(enclosure: start.enclosure, limit: limit, evidence: evidence)
                position = start.place
            }
            return true
        }
        let end = start.enclosure.end(
            text.span, from: start.place, limit: limits.url, isAtEnd: isAtEnd)
        switch end {
        case .unfinished:
            return false
        case .at(let end, let enclosure):
            let url = enclosure.url(text.span, start.place..<end)
            add(url, nil, passURL.evidence(url), Identity(url: url))
            position = max(end, position + 1)
        case .tooLong:
            hasLongURL = true
            measured = LongURL(enclosure: .text(opener: 0x20), limit: limits.url)
            position = start.place
        }
        return true
    }

    private mutating func add(_ url: LongURL) {
        let evidence = url.evidence ?? passURL.evidence(url.head)
        let size = url.size > url.head.count ? url.size : nil
        if url.evidence != nil { dataSize += url.head.count }
        add(url.head, size, evidence, Identity(url: url.head, hash: url.hash))
    }

    private mutating func add(
        _ url: [UInt8], _ size: Int?, _ evidence: Evidence, _ identity: Identity
    ) {
        guard !evidence.isEmpty, !hasMore, seen.insert(identity).inserted else { return }
        guard links.count < limits.links else {
            hasMore = true
            return
        }
        links.append(Link(url: Charset.guess(url), size: size, evidence: evidence))
    }
}
