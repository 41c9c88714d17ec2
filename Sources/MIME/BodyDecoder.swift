package import Bytes

/// Decodes a body line by line, in memory that does not grow with it.
package struct BodyDecoder: ~Copyable {
    private let decoding: BodyDecoding
    private var output: OctetsWriter
    private var decoded: [UInt8] = []
    private var base64 = Base64()
    /// Whether a file that says where it ends (uuencode, yEnc) has begun, and has ended.
    private var isInside = false
    private var isDone = false

    /// The body of a part in one of its readings. The pieces in which it is read from a file change
    /// nothing.
    package static func decode(
        _ body: Octets, _ decoding: BodyDecoding, spool: SpoolPolicy,
        inPiecesOf size: Int = 256 << 10
    ) throws(FileError) -> Octets {
        if decoding == .identity { return body }
        var decoder = BodyDecoder(decoding, spool)
        var rest: [UInt8] = []
        try body.forEachPiece(of: size) { piece throws(FileError) in
            try decoder.feed(piece, &rest)
        }
        if !rest.isEmpty {
            decoder.decodeLine(rest.span, 0..<rest.count)
        }
        decoder.base64.finish(into: &decoder.decoded)
        try decoder.flush()
        return try decoder.output.finish()
    }

    private init(_ decoding: BodyDecoding, _ spool: SpoolPolicy) {
        self.decoding = decoding
        output = OctetsWriter(spool)
    }

    /// Decodes the whole lines of a piece and keeps the begun one in `rest`.
    private mutating func feed(_ piece: Span<UInt8>, _ rest: inout [UInt8]) throws(FileError)
        -> Bool
    {
        var start = 0
        if !rest.isEmpty {
            let end = piece.endOfLine(from: 0, limit: piece.count)
            for index in 0..<end { rest.append(piece[index]) }
            guard end > 0,
                piece[end - 1] == UInt8(ascii: "\n") || rest.count > longestLine
            else { return true }
            decodeLine(rest.span, 0..<rest.count)
            rest.removeAll(keepingCapacity: true)
            start = end
        }
        while start < piece.count, !isDone {
            let end = piece.endOfLine(from: start, limit: piece.count)
            if end == piece.count, piece[end - 1] != UInt8(ascii: "\n"),
                end - start <= longestLine
            {
                for index in start..<end { rest.append(piece[index]) }
                break
            }
            decodeLine(piece, start..<end)
            start = end
            if decoded.count > 64 << 10 { try flush() }
        }
        try flush()
        return !isDone
    }

    /// A longer line is decoded in pieces, which base64 and identity allow anywhere.
    private var longestLine: Int {
        switch decoding {
        case .quotedPrintable, .uuencode, .yEnc: 16 << 20
        default: 64 << 10
        }
    }

    private mutating func flush() throws(FileError) {
        var full: [UInt8] = []
        swap(&full, &decoded)
        try output.append(full.span)
        full.removeAll(keepingCapacity: true)
        swap(&full, &decoded)
    }

    private mutating func decodeLine(_ source: Span<UInt8>, _ line: Range<Int>) {
        switch decoding {
        case .identity:
            append(source, line)
        case .unquotedFrom:
            append(source, Mboxrd.isQuoted(source, line) ? line.dropFirst() : line)
        case .base64:
            base64.decode(source, line, into: &decoded)
            isDone = base64.isPadded
        case .base64WithoutJunkLines:
            let text = source.trimmed(line)
            guard text.allSatisfy({ Base64.isDigit(source[$0]) }) else { return }
            base64.decode(source, text, into: &decoded)
            isDone = base64.isPadded
        case .base64InPieces:
            var index = line.lowerBound
            while index < line.upperBound {
                index = base64.decode(source, index..<line.upperBound, into: &decoded)
                if base64.isPadded { base64.restart() }
            }
        case .quotedPrintable:
            QuotedPrintable.decodeLine(source, line, into: &decoded)
        case .uuencode:
            decodeUULine(source, source.withoutLineEnding(line))
        case .yEnc:
            decodeYEncLine(source, source.withoutLineEnding(line))
        }
    }

    private mutating func append(_ source: Span<UInt8>, _ range: Range<Int>) {
        unsafe source.withUnsafeBufferPointer { buffer in
            unsafe decoded.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[range]))
        }
    }

    private mutating func decodeUULine(_ source: Span<UInt8>, _ line: Range<Int>) {
        if !isInside {
            isInside = source.hasPrefix("begin ", at: line.lowerBound)
        } else if source.trimmed(line).count == 3, source.hasPrefix("end", at: line.lowerBound) {
            isDone = true
        } else {
            UUEncoding.decodeLine(source, line, into: &decoded)
        }
    }

    private mutating func decodeYEncLine(_ source: Span<UInt8>, _ line: Range<Int>) {
        if source.hasPrefix("=y", at: line.lowerBound) {
            if source.hasPrefix("=ybegin ", at: line.lowerBound) { isInside = true }
            if source.hasPrefix("=yend", at: line.lowerBound) { isDone = true }
        } else if isInside {
            YEnc.decodeLine(source, line, into: &decoded)
        }
    }
}

/// The quoting of `From ` at line starts in mailboxes.
enum Mboxrd {
    /// Whether a line is `From ` behind one or more `>`.
    static func isQuoted(_ source: Span<UInt8>, _ line: Range<Int>) -> Bool {
        var index = line.lowerBound
        while index < line.upperBound, source[index] == UInt8(ascii: ">") { index += 1 }
        return index > line.lowerBound && source.hasPrefix("From ", at: index)
    }
}
