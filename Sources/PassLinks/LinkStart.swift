import Bytes

/// The start of a URL in a text.
struct LinkStart {
    let place: Int
    let enclosure: LinkEnclosure
    /// The media type of a `data:` URL.
    var dataType: Range<Int>?

    enum Look {
        case start(LinkStart)
        case none
        /// More bytes are needed.
        case unfinished
    }

    /// The maximum distance from a URL back to the opening quote of its attribute, in bytes.
    private static let lookBehind = 32
    /// The longest media type that is read, in bytes: RFC 6838, 4.2 allows 255.
    private static let longestType = 256

    /// Whether a URL begins at a mark: a colon after a scheme or, in HTML attributes, the slashes
    /// of a scheme-relative URL (RFC 3986, 4.2).
    static func look(at mark: Int, _ source: Span<UInt8>, isHTML: Bool) -> Look {
        if source[mark] == UInt8(ascii: "/") { return lookAtSlashes(mark, source) }
        if source.hasPrefix(caseInsensitive: "https", at: mark - 5) {
            return lookAtHost(mark, source, isHTML, from: mark - 5)
        }
        if source.hasPrefix(caseInsensitive: "http", at: mark - 4) {
            return lookAtHost(mark, source, isHTML, from: mark - 4)
        }
        if source.hasPrefix(caseInsensitive: "data", at: mark - 4) {
            return lookAtType(mark, source, isHTML)
        }
        return .none
    }

    private static func lookAtSlashes(_ mark: Int, _ source: Span<UInt8>) -> Look {
        guard mark > 0 else { return .none }
        let enclosure = enclosure(before: mark, source, isHTML: true)
        switch enclosure {
        case .attribute: break
        case .text(opener: UInt8(ascii: "=")): break
        default: return .none
        }
        switch host(from: mark, source) {
        case .some(true): return .start(LinkStart(place: mark, enclosure: enclosure))
        case .some(false): return .none
        case .none: return .unfinished
        }
    }

    private static func lookAtHost(
        _ mark: Int, _ source: Span<UInt8>, _ isHTML: Bool, from place: Int
    ) -> Look {
        switch host(from: mark + 1, source) {
        case .some(true):
            let enclosure = enclosure(before: place, source, isHTML: isHTML)
            return .start(LinkStart(place: place, enclosure: enclosure))
        case .some(false): return .none
        case .none: return .unfinished
        }
    }

    /// Whether two slashes and a host follow; nil if more bytes are needed. VIOLATIONS.md, H17:
    /// `\/` for a slash.
    private static func host(from start: Int, _ source: Span<UInt8>) -> Bool? {
        var place = start
        for _ in 0..<2 {
            guard place < source.count else { return nil }
            if source[place] == UInt8(ascii: "\\") { place += 1 }
            guard place < source.count else { return nil }
            guard source[place] == UInt8(ascii: "/") else { return false }
            place += 1
        }
        guard place < source.count else { return nil }
        let byte = source[place]
        return byte.isASCIILetter || byte.isASCIIDigit || byte >= 0x80 || byte == UInt8(ascii: "[")
    }

    private static func lookAtType(_ mark: Int, _ source: Span<UInt8>, _ isHTML: Bool) -> Look {
        let place = mark - 4
        // `metadata:` is not a `data:` URL.
        if place > 0, source[place - 1].isASCIILetter || source[place - 1].isASCIIDigit {
            return .none
        }
        let enclosure = enclosure(before: place, source, isHTML: isHTML)
        var end = mark + 1
        while end < source.count, end - mark <= longestType {
            let byte = source[end]
            if byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";") {
                return .start(
                    LinkStart(place: place, enclosure: enclosure, dataType: mark + 1..<end))
            }
            // Browsers remove line ends in attributes.
            if byte.isWhiteSpace {
                guard case .attribute = enclosure else { return .none }
            }
            end += 1
        }
        return end < source.count ? .none : .unfinished
    }

    /// The enclosure of a URL, determined by the text before it.
    private static func enclosure(
        before place: Int, _ source: Span<UInt8>, isHTML: Bool
    ) -> LinkEnclosure {
        if isHTML {
            let floor = max(0, place - lookBehind)
            func skipSpace(_ end: Int) -> Int {
                var end = end
                while end > floor, source[end - 1].isWhiteSpace { end -= 1 }
                return end
            }
            let value = skipSpace(place)
            if value > floor,
                source[value - 1] == UInt8(ascii: "\"") || source[value - 1] == UInt8(ascii: "'")
            {
                let equals = skipSpace(value - 1)
                if equals > floor, source[equals - 1] == UInt8(ascii: "=") {
                    return .attribute(quote: source[value - 1])
                }
            }
        }
        guard place > 0 else { return .text(opener: 0x20) }
        if source[place - 1] == UInt8(ascii: "<")
            || source.hasPrefix(caseInsensitive: "<url:", at: place - 5)
        {
            return .angle
        }
        return .text(opener: source[place - 1])
    }
}
