import Bytes

extension LinkEnclosure {
    /// The URL in a range of the text.
    func url(_ source: Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
        var url: [UInt8] = []
        switch self {
        case .attribute:
            // https://url.spec.whatwg.org, "basic URL parser": remove outer spaces and inner line
            // ends, and encode inner spaces (VIOLATIONS.md, H14).
            for index in source.trimmed(range) {
                switch source[index] {
                case 0x09, 0x0A, 0x0D: break
                case 0x20: url += Array("%20".utf8)
                case let byte: url.append(byte)
                }
            }
        case .angle:
            for index in range where !source[index].isWhiteSpace { url.append(source[index]) }
        case .text(let opener):
            let end = LinkEnclosure.withoutPunctuation(source, range, opener)
            for index in range.lowerBound..<end where source[index] != UInt8(ascii: "\\") {
                url.append(source[index])
            }
        }
        return url
    }

    /// The end of a URL in plain text without trailing punctuation; a closing bracket belongs to
    /// the URL if the opening one does.
    private static func withoutPunctuation(
        _ source: Span<UInt8>, _ range: Range<Int>, _ opener: UInt8
    ) -> Int {
        var open = (round: 0, square: 0, curly: 0)
        for index in range {
            switch source[index] {
            case UInt8(ascii: "("): open.round += 1
            case UInt8(ascii: ")"): open.round -= 1
            case UInt8(ascii: "["): open.square += 1
            case UInt8(ascii: "]"): open.square -= 1
            case UInt8(ascii: "{"): open.curly += 1
            case UInt8(ascii: "}"): open.curly -= 1
            default: break
            }
        }
        var end = range.upperBound
        while end > range.lowerBound {
            switch source[end - 1] {
            case UInt8(ascii: ")"):
                guard open.round < 0 else { return end }
                open.round += 1
            case UInt8(ascii: "]"):
                guard open.square < 0 else { return end }
                open.square += 1
            case UInt8(ascii: "}"):
                guard open.curly < 0 else { return end }
                open.curly += 1
            case UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"),
                UInt8(ascii: "!"), UInt8(ascii: "?"), UInt8(ascii: "'"), UInt8(ascii: "*"):
                break
            case UInt8(ascii: "_"):
                guard opener == UInt8(ascii: "_") else { return end }
            default:
                return end
            }
            end -= 1
        }
        return end
    }
}
