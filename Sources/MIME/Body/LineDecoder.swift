import Bytes

/// Decodes the lines of a body in one way.
struct LineDecoder {
    private let decoding: BodyDecoding
    private var base64 = Base64()
    private var markup: Base64InMarkup
    private var file = File.before
    /// Whether the encoded bytes have ended.
    private(set) var isDone = false

    /// The position of the next line in a format with begin and end lines (uuencode, yEnc).
    private enum File { case before, inside, insideBase64 }

    init(_ decoding: BodyDecoding) {
        self.decoding = decoding
        if case .base64InMarkup(let spacesArePluses) = decoding {
            markup = Base64InMarkup(spacesArePluses: spacesArePluses)
        } else {
            markup = Base64InMarkup(spacesArePluses: false)
        }
    }

    /// Whether many lines may be decoded as one.
    var ignoresLineEnds: Bool { decoding == .base64 }

    /// Decodes a line, or a piece of a long one.
    mutating func decode(
        _ source: Span<UInt8>, _ line: Range<Int>, startsLine: Bool, into output: inout [UInt8]
    ) {
        switch decoding {
        case .identity, .unquoting, .skipping, .keeping:
            append(source, line, &output)
        case .unquotedFrom:
            let isQuoted = startsLine && Mboxrd.isQuoted(source, line)
            append(source, isQuoted ? line.dropFirst() : line, &output)
        case .base64:
            decodeBase64(source, line, &output)
        case .base64WithoutJunkLines:
            let text = source.trimmed(line)
            guard text.allSatisfy({ Base64.isDigit(source[$0]) }) else { return }
            decodeBase64(source, text, &output)
        case .base64InPieces:
            // VIOLATIONS.md, M52: padding within the body.
            var index = line.lowerBound
            while index < line.upperBound {
                index = base64.decode(source, index..<line.upperBound, into: &output)
                if base64.isPadded { base64.restart() }
            }
        case .base64InMarkup:
            var digits: [UInt8] = []
            markup.digits(of: source, source.withoutLineEnding(line), into: &digits)
            decodeBase64(digits.span, 0..<digits.count, &output)
        case .quotedPrintable:
            QuotedPrintable.decodeLine(source, line, into: &output)
        case .quotedPrintableWithoutLineEnds:
            var text = source.withoutLineEnding(line)
            // VIOLATIONS.md, M48: the rest of a reversed line end (LF CR).
            while let first = text.first, source[first] == 0x0D { text = text.dropFirst() }
            QuotedPrintable.decodeLine(source, text, into: &output)
        case .uuencode:
            if startsLine { decodeUULine(source, source.withoutLineEnding(line), &output) }
        case .yEnc:
            decodeYEncLine(source, source.withoutLineEnding(line), startsLine, &output)
        }
    }

    mutating func finish(into output: inout [UInt8]) {
        base64.finish(into: &output)
    }

    /// Where a piece of a line may end without splitting an escape.
    func cut(_ source: Span<UInt8>, _ line: Range<Int>) -> Int {
        var end = line.upperBound
        switch decoding {
        case .quotedPrintable, .quotedPrintableWithoutLineEnds:
            for place in line.suffix(3).reversed() where source[place] == UInt8(ascii: "=") {
                end = place
            }
            // Trailing white space belongs to the text only if more text follows.
            while end > line.lowerBound, source[end - 1].isWhiteSpace { end -= 1 }
        case .yEnc:
            if source[end - 1] == UInt8(ascii: "=") { end -= 1 }
        default:
            break
        }
        return end > line.lowerBound ? end : line.upperBound
    }

    private mutating func decodeBase64(
        _ source: Span<UInt8>, _ range: Range<Int>, _ output: inout [UInt8]
    ) {
        base64.decode(source, range, into: &output)
        isDone = base64.isPadded
    }

    private func append(_ source: Span<UInt8>, _ range: Range<Int>, _ output: inout [UInt8]) {
        unsafe source.withUnsafeBufferPointer { buffer in
            unsafe output.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[range]))
        }
    }

    private mutating func decodeUULine(
        _ source: Span<UInt8>, _ line: Range<Int>, _ output: inout [UInt8]
    ) {
        switch file {
        case .before:
            if UUEncoding.name(source, line) != nil {
                file = UUEncoding.isBase64(source, line) ? .insideBase64 : .inside
            } else if UUEncoding.isArchive(source, line), UUEncoding.isData(source, line) {
                // VIOLATIONS.md, M58: no `begin` line, if a header gives the name.
                file = .inside
                UUEncoding.decodeLine(source, line, into: &output)
            }
        case .inside:
            if UUEncoding.isEnd(source, line) {
                isDone = true
            } else {
                UUEncoding.decodeLine(source, line, into: &output)
            }
        case .insideBase64:
            if UUEncoding.isEnd(source, line) {
                isDone = true
            } else {
                base64.decode(source, line, into: &output)
            }
        }
    }

    private mutating func decodeYEncLine(
        _ source: Span<UInt8>, _ line: Range<Int>, _ startsLine: Bool, _ output: inout [UInt8]
    ) {
        if startsLine, source.hasPrefix("=y", at: line.lowerBound) {
            if source.hasPrefix("=ybegin ", at: line.lowerBound) { file = .inside }
            if source.hasPrefix("=yend", at: line.lowerBound) { isDone = true }
        } else if file == .inside {
            YEnc.decodeLine(source, line, startsLine: startsLine, into: &output)
        }
    }
}

/// The quoting of `From ` at line starts in mailboxes.
enum Mboxrd {
    /// Whether a line is `From ` after one or more `>`.
    static func isQuoted(_ source: Span<UInt8>, _ line: Range<Int>) -> Bool {
        var index = line.lowerBound
        while index < line.upperBound, source[index] == UInt8(ascii: ">") { index += 1 }
        return index > line.lowerBound && source.hasPrefix("From ", at: index)
    }
}
