import Bytes
import MIME

/// Finds the links to passes in a text that comes in pieces, without asking anybody for anything.
///
/// One pass: each byte is looked at a fixed number of times, and no more is kept than one URL may be
/// long. A URL may begin anywhere; what stands before it says where it ends (`LinkEnclosure`).
package struct LinkFinder {
    /// In the order in which they stand, each once.
    package private(set) var links: [Link] = []
    /// Whether there were more links than the limit.
    package private(set) var hasMore = false
    /// Whether a URL was longer than the limit, so that its end was not looked at.
    package private(set) var hasLongURL = false

    private let isHTML: Bool
    private let limits: LinkLimits
    private let passURL: PassURL
    private var references = CharacterReferences()

    /// What was not looked at yet, behind a little of what was.
    private var text: [UInt8] = []
    private var position = 0
    private var measured: LongURL?
    private var seen: Set<Identity> = []
    /// How much of `data:` URLs was kept, in bytes.
    private var dataSize = 0

    /// How much is kept of what was looked at, in bytes: what may stand before a URL matters.
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

    /// What a URL that stands alone says of leading to a pass.
    package static func evidence(of url: [UInt8], types: TypeMap) -> Evidence {
        PassURL(types).evidence(url)
    }

    /// Takes the next piece of the text, which is UTF-8.
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

    /// The next beginning of a URL, with its mark. None where none is in what is there, or where what
    /// is there does not tell.
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

    /// Takes the URL that begins at a place; false where its end is not there yet.
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
