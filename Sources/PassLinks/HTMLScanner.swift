import Bytes

/// Finds the tags of a web page that arrives in pieces, as browsers do (HTML, 13.2.5), ignoring
/// comments and scripts. Each byte is examined once, and memory is bounded.
struct HTMLScanner {
    /// The beginning of the text before the current tag, with its character references.
    private(set) var text: [UInt8] = []

    private var state = State.text
    private var tag = HTMLTag()
    private var word: [UInt8] = []
    private var value: [UInt8] = []
    private var isCut = false
    /// The number of bytes matched so far of the end of a comment or raw text.
    private var matched = 0
    private var rawName = ""
    private var endOfRaw: [UInt8] = []
    /// The size of the `data:` URLs kept so far, in bytes.
    private var dataSize = 0
    private let limits: LinkLimits

    /// The limit of `text`, in bytes.
    static let longestText = 4096

    private enum State {
        case text, raw, rawEnd, open, endOpen, markup, comment, bogus
        case name, beforeName, attribute, afterName, beforeValue, unquoted, afterValue
        case quoted(UInt8)
    }

    init(_ limits: LinkLimits) {
        self.limits = limits
    }

    /// Advances to the end of the next tag, or to the end of the piece.
    mutating func next(_ piece: Span<UInt8>, from place: inout Int) -> HTMLTag? {
        while place < piece.count {
            if case .text = state, text.count >= HTMLScanner.longestText {
                let rest = place..<piece.count
                place = piece.firstIndex(of: UInt8(ascii: "<"), in: rest) ?? piece.count
                guard place < piece.count else { return nil }
            }
            let byte = piece[place]
            place += 1
            if let tag = take(byte) { return tag }
        }
        return nil
    }

    /// Discards the text, once it has been used.
    mutating func dropText() {
        text.removeAll(keepingCapacity: true)
    }

    private mutating func take(_ byte: UInt8) -> HTMLTag? {
        switch state {
        case .text, .raw, .rawEnd, .open, .endOpen: return takeText(byte)
        case .markup, .comment, .bogus: takeMarkup(byte)
        case .quoted(let quote):
            if byte == quote { end(.afterValue) } else { keep(byte) }
        case .name:
            if byte.isWhiteSpace || byte == 0x2F || byte == 0x3E {
                tag.name(word)
                word = []
                return after(byte)
            }
            append(byte)
        case .beforeName, .afterValue: return after(byte)
        case .attribute, .afterName, .beforeValue, .unquoted: return takeAttribute(byte)
        }
        return nil
    }

    /// Handles text between tags, and the start of a tag.
    private mutating func takeText(_ byte: UInt8) -> HTMLTag? {
        switch state {
        case .raw:
            takeRaw(byte)
        case .rawEnd:
            guard byte.isWhiteSpace || byte == 0x2F || byte == 0x3E else {
                state = .raw
                takeRaw(byte)
                return nil
            }
            tag = HTMLTag(rawName, isEnd: true)
            return after(byte)
        case .open where byte.isASCIILetter:
            tag = HTMLTag()
            word = [byte.asciiLowercased]
            state = .name
        case .open where byte == UInt8(ascii: "/"): state = .endOpen
        case .open where byte == UInt8(ascii: "!"):
            matched = 0
            state = .markup
        case .open where byte == UInt8(ascii: "?"): state = .bogus
        case .endOpen where byte.isASCIILetter:
            tag = HTMLTag("", isEnd: true)
            word = [byte.asciiLowercased]
            state = .name
        case .endOpen: state = byte == UInt8(ascii: ">") ? .text : .bogus
        default:
            state = byte == UInt8(ascii: "<") ? .open : .text
            if text.count < HTMLScanner.longestText { text.append(byte) }
        }
        return nil
    }

    /// Handles the contents of a script, style or title, up to its end tag.
    private mutating func takeRaw(_ byte: UInt8) {
        if text.count < HTMLScanner.longestText { text.append(byte) }
        if byte.asciiLowercased == endOfRaw[matched] {
            matched += 1
        } else {
            matched = byte == UInt8(ascii: "<") ? 1 : 0
        }
        if matched == endOfRaw.count {
            if text.count < HTMLScanner.longestText { text.removeLast(matched) }
            matched = 0
            state = .rawEnd
        }
    }

    private mutating func takeMarkup(_ byte: UInt8) {
        let isDash = byte == UInt8(ascii: "-")
        switch state {
        case .markup:
            matched += isDash ? 1 : 0
            if !isDash { state = byte == UInt8(ascii: ">") ? .text : .bogus }
            // `<!-->` is a whole comment.
            if matched == 2 { state = .comment }
        case .comment:
            if byte == UInt8(ascii: ">"), matched >= 2 {
                state = .text
            } else if !(byte == UInt8(ascii: "!") && matched >= 2) {
                matched = isDash ? matched + 1 : 0
            }
        default:
            if byte == UInt8(ascii: ">") { state = .text }
        }
    }

    private mutating func takeAttribute(_ byte: UInt8) -> HTMLTag? {
        switch state {
        case .attribute:
            if byte == UInt8(ascii: "=") {
                state = .beforeValue
            } else if byte.isWhiteSpace {
                state = .afterName
            } else if byte == 0x2F || byte == 0x3E {
                end(.beforeName)
                return after(byte)
            } else {
                append(byte)
            }
        case .afterName where byte == UInt8(ascii: "="): state = .beforeValue
        case .afterName where !byte.isWhiteSpace:
            end(.beforeName)
            return after(byte)
        case .beforeValue where byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'"):
            state = .quoted(byte)
        case .beforeValue where byte.isWhiteSpace, .afterName: break
        default:
            if byte.isWhiteSpace || byte == UInt8(ascii: ">") {
                end(.beforeName)
                return after(byte)
            }
            state = .unquoted
            keep(byte)
        }
        return nil
    }

    /// Handles a position where an attribute or the end of the tag may follow.
    private mutating func after(_ byte: UInt8) -> HTMLTag? {
        guard byte == UInt8(ascii: ">") else {
            state = .beforeName
            if !byte.isWhiteSpace, byte != UInt8(ascii: "/") {
                state = .attribute
                append(byte)
            }
            return nil
        }
        state = .text
        if !tag.isEnd, HTMLScanner.rawNames.contains(tag.name) {
            rawName = tag.name
            endOfRaw = Array("</\(rawName)".utf8)
            matched = 0
            state = .raw
        }
        return tag
    }

    private mutating func append(_ byte: UInt8) {
        if word.count < HTMLTag.longestName { word.append(byte.asciiLowercased) }
    }

    private mutating func keep(_ byte: UInt8) {
        if value.count < limits.url {
            value.append(byte)
        } else if DataURL.isData(value),
            value.count < limits.data - dataSize
        {
            value.append(byte)
        } else {
            isCut = true
        }
    }

    /// Ends an attribute.
    private mutating func end(_ next: State) {
        state = next
        if isCut {
            tag.isCut = tag.isCut || HTMLTag.namesOfLinks.contains { word.elementsEqual($0.utf8) }
        } else if !tag.isEnd {
            tag.add(word, value)
            if value.count > limits.url { dataSize += value.count }
        }
        isCut = false
        word = []
        value = []
    }

    /// Elements that contain no tags except their own end tag.
    private static let rawNames: Set<String> = ["script", "style", "title", "textarea", "xmp"]
}
