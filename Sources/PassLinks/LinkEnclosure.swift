import Bytes

/// The syntax around a URL, which determines where the URL ends and which characters to remove.
enum LinkEnclosure {
    /// In quotes, as an HTML attribute value. Browsers remove line ends and tabs.
    case attribute(quote: UInt8)
    /// Between `<` and `>`, possibly over several lines (RFC 3986, appendix C).
    case angle
    /// In plain text, after a character that may have a closing partner.
    case text(opener: UInt8)
}

/// The end of a URL.
enum LinkEnd {
    /// At an offset, in this enclosure, which may differ: an apparent attribute may not be one.
    case at(Int, LinkEnclosure)
    /// Beyond the available bytes.
    case unfinished
    case tooLong
}

extension LinkEnclosure {
    /// The end of a URL that begins at `start` and has at most `limit` bytes.
    func end(_ source: Span<UInt8>, from start: Int, limit: Int, isAtEnd: Bool) -> LinkEnd {
        let bound = min(source.count, start + limit + 1)
        let isWhole = isAtEnd || source.count > start + limit
        switch self {
        case .attribute(let quote):
            var index = start
            while index < bound, !isEdge(source[index]) { index += 1 }
            if index == bound, !isWhole { return .unfinished }
            if index < bound, source[index] == quote { return .at(index, self) }
            return LinkEnclosure.text(opener: quote)
                .end(source, from: start, limit: limit, isAtEnd: isAtEnd)
        case .angle:
            var index = start
            while index < bound, !isEdge(source[index]) {
                guard source[index].isWhiteSpace else {
                    index += 1
                    continue
                }
                guard let next = behindLineEnd(source, index, bound) else { break }
                index = next
            }
            if index == bound, !isWhole { return .unfinished }
            if index < bound, source[index] == UInt8(ascii: ">") { return .at(index, self) }
            return LinkEnclosure.text(opener: UInt8(ascii: "<"))
                .end(source, from: start, limit: limit, isAtEnd: isAtEnd)
        case .text(let opener):
            var depth = 0
            for index in start..<bound {
                switch endsText(at: index, source, isAtEnd: isAtEnd) {
                case .some(true): return .at(index, self)
                case .some(false): break
                case .none: return .unfinished
                }
                if isPartner(source[index]) {
                    if depth == 0 { return .at(index, self) }
                    depth -= 1
                } else if source[index] == opener {
                    depth += 1
                }
            }
            if bound > start + limit { return .tooLong }
            return isAtEnd ? .at(bound, self) : .unfinished
        }
    }

    /// Whether an overlong URL ends before a byte; nil if more bytes are needed.
    func ends(at index: Int, _ source: Span<UInt8>, isAtEnd: Bool) -> Bool? {
        if case .text = self {
            return isPartner(source[index]) ? true : endsText(at: index, source, isAtEnd: isAtEnd)
        }
        return isEdge(source[index])
    }

    /// Whether a byte ends an attribute value or angle bracket, or shows that there was none.
    private func isEdge(_ byte: UInt8) -> Bool {
        switch self {
        case .attribute(let quote):
            byte == quote || byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">")
        default:
            byte == UInt8(ascii: ">") || byte == UInt8(ascii: "<") || byte == UInt8(ascii: "\"")
        }
    }

    /// Whether a byte closes the opening character.
    private func isPartner(_ byte: UInt8) -> Bool {
        guard case .text(let opener) = self else { return false }
        return switch opener {
        case UInt8(ascii: "("): byte == UInt8(ascii: ")")
        case UInt8(ascii: "["): byte == UInt8(ascii: "]")
        case UInt8(ascii: "{"): byte == UInt8(ascii: "}")
        case UInt8(ascii: "'"): byte == UInt8(ascii: "'")
        default: false
        }
    }

    /// The offset after the white space of a single line end; nil if there is none, or an empty
    /// line.
    private func behindLineEnd(_ source: Span<UInt8>, _ start: Int, _ bound: Int) -> Int? {
        var index = start
        var lines = 0
        while index < bound, source[index].isWhiteSpace {
            if source[index] == UInt8(ascii: "\n") { lines += 1 }
            index += 1
        }
        return lines == 1 || index == bound ? index : nil
    }

    /// Whether a byte ends a URL in plain text: a character not allowed by RFC 3986, 2
    /// (VIOLATIONS.md, H15: letters outside ASCII are), or trailing punctuation; nil if more bytes
    /// are needed.
    private func endsText(at index: Int, _ source: Span<UInt8>, isAtEnd: Bool) -> Bool? {
        func next(_ offset: Int) -> UInt8? {
            index + offset < source.count ? source[index + offset] : isAtEnd ? 0 : nil
        }
        switch source[index] {
        case 0...0x20, 0x7F, UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""),
            UInt8(ascii: "`"):
            return true
        case UInt8(ascii: "\\"):
            return next(1).map { $0 != UInt8(ascii: "/") }
        case 0xC2:
            // U+00A0 (no-break space) to U+00BF.
            return next(1).map { $0 >= 0xA0 }
        case 0xE2:
            // U+2000 to U+207F: spaces, quotes, dots.
            return next(1).map { $0 == 0x80 || $0 == 0x81 }
        case 0xE3:
            // U+3000 to U+303F: East Asian spaces and punctuation.
            return next(1).map { $0 == 0x80 }
        case 0xEF:
            // Full-width punctuation, and U+FEFF.
            guard let second = next(1), let third = next(2) else { return nil }
            return switch (second, third) {
            case (0xBB, 0xBF), (0xBC, 0x80...0x8F), (0xBC, 0x9A...0xA0), (0xBC, 0xBB...0xBF),
                (0xBD, 0x80), (0xBD, 0x9B...0xA5):
                true
            default: false
            }
        default:
            return false
        }
    }
}
