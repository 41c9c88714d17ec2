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
    /// Whether to find `data:` URLs only.
    private let onlyData: Bool
    private let isFolded: Bool
    private let types: TypeMap
    private let limits: LinkLimits
    /// The most `data:` URLs, which are counted apart from links.
    private let mostData: Int
    private var dataCount = 0
    private let passURL: PassURL
    /// The evidence in the name of a shortcut for the first web URL in it.
    private var shortcut: Evidence
    private var references = CharacterReferences()
    private var breaks: SoftBreaks
    private var markup: TaggedText?
    private var linkReferences: LinkReferences
    private var folds = SoftBreaks.folds
    private var calendar = CalendarText()

    /// The text not searched yet, after the last `lookBehind` bytes searched.
    private var text: [UInt8] = []
    private var position = 0
    /// The end of the URL in which `data:` URLs are searched.
    private var outerEnd = 0
    private var measured: LongURL?
    private var seen: [Identity: Int] = [:]
    /// The size of the `data:` URLs kept so far, in bytes.
    private var dataSize = 0

    /// The length of the searched text that is kept, in bytes, since the enclosure and the evidence
    /// depend on it.
    private static let lookBehind = LinkContext.length + 32

    /// The length of the text that shows what a `data:` URL contains, in bytes.
    private static let dataBeginning = 128

    private struct Identity: Hashable {
        let url: [UInt8]
        var hash: UInt64 = 0
    }

    /// - Parameters:
    ///   - isFolded: Whether the text is iCalendar or vCard.
    ///   - readsTags: Whether labels and tags of HTML are read.
    ///   - onlyData: Whether to find `data:` URLs only.
    ///   - mostData: The most `data:` URLs; nil for the limit of links.
    ///   - shortcut: The evidence in the name of a shortcut: `ticket.pkpass.webloc`.
    package init(
        isHTML: Bool, isFolded: Bool = false, readsTags: Bool = true, types: TypeMap,
        limits: LinkLimits = LinkLimits(), onlyData: Bool = false, mostData: Int? = nil,
        shortcut: Evidence = []
    ) {
        self.shortcut = shortcut
        self.mostData = mostData ?? limits.links
        self.isHTML = isHTML
        self.isFolded = isFolded
        self.types = types
        self.onlyData = onlyData
        self.limits = limits
        passURL = PassURL(types)
        breaks = SoftBreaks(isHTML: isHTML, isFolded: isFolded)
        markup = (isHTML || isFolded) && readsTags ? TaggedText(types, limits) : nil
        linkReferences = LinkReferences(types, limit: limits.links)
    }

    /// The evidence in a single URL.
    package static func evidence(of url: [UInt8], types: TypeMap) -> Evidence {
        PassURL(types).evidence(url)
    }

    /// Searches the next piece of the text, in UTF-8.
    package mutating func feed(_ piece: Span<UInt8>) {
        if !isFolded { markup?.feed(piece) }
        var start = 0
        while start < piece.count {
            let range = start..<min(start + 64 << 10, piece.count)
            var decoded: [UInt8] = []
            if isHTML {
                references.replace(piece, range, into: &decoded)
            } else {
                decoded.append(piece, range)
            }
            if isFolded {
                readProperties(decoded, isAtEnd: false)
            } else {
                breaks.remove(from: decoded, into: &text)
            }
            search(isAtEnd: false)
            let read = max(0, position - LinkFinder.lookBehind)
            text.removeFirst(read)
            position -= read
            outerEnd = max(0, outerEnd - read)
            start = range.upperBound
        }
    }

    /// Ends the text.
    package mutating func finish() {
        if isFolded { readProperties([], isAtEnd: true) }
        var decoded: [UInt8] = []
        references.finish(into: &decoded)
        breaks.remove(from: decoded, into: &text)
        breaks.finish(into: &text)
        search(isAtEnd: true)
        if let url = measured.take() { add(url) }
        addMarkup()
        hasMore = hasMore || linkReferences.hasMore
        text = []
        position = 0
        outerEnd = 0
    }

    /// Reads the properties of iCalendar or vCard. VIOLATIONS.md, H26: their values may be HTML,
    /// with tags and character references, whatever their parameters say
    /// (`X-ALT-DESC;FMTTYPE=text/html`, `DESCRIPTION`).
    private mutating func readProperties(_ piece: [UInt8], isAtEnd: Bool) {
        var unfolded: [UInt8] = []
        folds.remove(from: piece, into: &unfolded)
        if isAtEnd { folds.finish(into: &unfolded) }
        var properties: [(text: [UInt8], isEnd: Bool)] = []
        calendar.feed(unfolded) { properties.append(($0, $1)) }
        if isAtEnd { calendar.finish { properties.append(($0, $1)) } }
        for (property, isEnd) in properties {
            var value: [UInt8] = []
            breaks.remove(from: property, into: &value)
            if isEnd { breaks.finish(into: &value) }
            markup?.feed(value.span)
            if isEnd { markup?.endText() }
            references.replace(value.span, value.indices, into: &text)
        }
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
                if !isHTML, !onlyData { linkReferences.read(text, position..<place) }
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
            case .start(let start)
            where !onlyData && place >= outerEnd || start.dataType != nil:
                return (place, start)
            case .start, .none: break
            case .unfinished: if !isAtEnd { return (place, nil) }
            }
        }
        return (source.count, nil)
    }

    /// Reads the URL that begins at `start`; false if its end is not available yet.
    private mutating func take(from start: LinkStart, _ isAtEnd: Bool) -> Bool {
        if let type = start.dataType {
            var evidence = passURL.evidence(dataType: text[type].filter { !$0.isWhiteSpace })
            if evidence.isEmpty {
                guard let mayHoldPasses = mayHoldPasses(type, isAtEnd) else { return false }
                if mayHoldPasses { evidence = .content }
            }
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
            guard let context = evidence(around: start.place..<end, url, isAtEnd) else {
                return false
            }
            var evidence = passURL.evidence(url).union(context)
            // The XML of macOS has the URL of its DTD first.
            if !shortcut.isEmpty, !url.starts(with: "http://www.apple.com/DTDs/".utf8) {
                evidence.formUnion(shortcut)
                shortcut = []
            }
            add(url, nil, evidence, Identity(url: url))
            // Without a search for links, the file in its query is found too.
            outerEnd = end
            position = dataMark(in: start.place..<end) ?? max(end, position + 1)
        case .tooLong:
            hasLongURL = true
            if let mark = dataMark(in: start.place..<start.place + limits.url) {
                outerEnd = start.place + limits.url
                position = mark
                return true
            }
            measured = LongURL(enclosure: .text(opener: 0x20), limit: limits.url)
            position = start.place
        }
        return true
    }

    /// The mark of a `data:` URL within another URL.
    private func dataMark(in url: Range<Int>) -> Int? {
        let source = text.span
        var place = url.lowerBound + 6
        while let mark = source.firstIndex(
            of: UInt8(ascii: ":"), in: min(place, url.upperBound)..<url.upperBound)
        {
            if source.hasPrefix(caseInsensitive: "data", at: mark - 4) { return mark }
            place = mark + 1
        }
        return nil
    }

    /// Whether a `data:` URL with the media type at `type` may hold passes: its type is that of a
    /// message, a container or a page, or its data begin like an archive, in base64 or not; nil if
    /// more bytes are needed.
    private func mayHoldPasses(_ type: Range<Int>, _ isAtEnd: Bool) -> Bool? {
        let name = URLParts.decoded(text[type]).filter { !$0.isWhiteSpace }
        let header = PartHeader(
            names: [], mediaTypes: [String(streamSafe: name.map(\.asciiLowercased))])
        if header.isMessage || header.saysContainer || TextForm(header)?.isHTML == true {
            return true
        }
        let head = text[type.upperBound...].prefix(LinkFinder.dataBeginning)
        guard isAtEnd || head.count == LinkFinder.dataBeginning else { return nil }
        guard let comma = head.firstIndex(of: UInt8(ascii: ",")) else { return false }
        let data = URLParts.decoded(head[(comma + 1)...]).filter { !$0.isWhiteSpace }
        return FileSignature(data.span) != nil
            || FileSignature(Base64.decode(data.span, data.indices).span) != nil
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
        guard !evidence.isEmpty, seen[identity] == nil else { return }
        let isData = DataURL.isData(url)
        guard isData ? dataCount < mostData : links.count - dataCount < limits.links else {
            hasMore = true
            return
        }
        if isData { dataCount += 1 }
        seen[identity] = links.count
        links.append(Link(url: Charset.guess(url), size: size, evidence: evidence))
    }

    /// The evidence in the text around a URL; nil if more bytes are needed.
    private func evidence(
        around range: Range<Int>, _ url: [UInt8], _ isAtEnd: Bool
    ) -> Evidence? {
        guard !isHTML, !onlyData else { return [] }
        let context = LinkContext(text[..<range.lowerBound], types)
        var evidence = context.evidence(isCalendar: isFolded)
        if evidence.isEmpty, let reference = context.reference, linkReferences.contains(reference) {
            evidence = .label
        }
        if evidence.isEmpty {
            guard let after = context.evidence(after: text[range.upperBound...], isAtEnd: isAtEnd)
            else { return nil }
            evidence = after
        }
        guard evidence == .label, let host = URLParts(url)?.host else { return evidence }
        return TagLinks.explainsWallets(String(streamSafe: host)) ? [] : evidence
    }

    /// Adds the links that tags and labels show.
    private mutating func addMarkup() {
        guard var markup = markup.take() else { return }
        markup.finish()
        for (url, evidence) in markup.links {
            if let place = seen[Identity(url: url)] {
                let link = links[place]
                links[place] = Link(
                    url: link.url, size: link.size, evidence: link.evidence.union(evidence))
            } else {
                add(url, nil, evidence, Identity(url: url))
            }
        }
        hasMore = hasMore || markup.hasMore
        hasLongURL = hasLongURL || markup.hasLongURL
    }
}
