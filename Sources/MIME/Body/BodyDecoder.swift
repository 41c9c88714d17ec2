package import Bytes
import MailSource
package import Platform

/// Decodes a body line by line in bounded memory.
package struct BodyDecoder: ~Copyable {
    private var output: OctetsWriter
    private var lines: LineDecoder
    private var decoded: [UInt8] = []
    /// The incomplete last line.
    private var rest: [UInt8] = []
    private var startsLine = true

    /// The number of nested encodings that are removed.
    private static let nesting = 5
    /// Longer lines are decoded in pieces, in bytes. VIOLATIONS.md, M5: lines of any length.
    private static let longestLine = 64 << 10

    /// Decodes the body of a part in one way.
    ///
    /// VIOLATIONS.md, M43: if a body is encoded twice, no sender wants the recipient to get an
    /// encoded archive. The piece size does not affect the result.
    ///
    /// - Parameters:
    ///   - repeats: Whether further encodings of an archive are removed.
    ///   - isText: Whether a `data:` URL stays as it is, to be found in the text.
    package static func decode(
        _ body: SpooledBytes, _ decoding: BodyDecoding, spool: SpoolPolicy,
        inPiecesOf size: Int = 256 << 10, repeats: Bool = true, isText: Bool = false
    ) throws(FileError) -> SpooledBytes {
        var octets = try decodeOnce(body, decoding, spool, size)
        guard repeats, decoding.mayBeRepeated else { return octets }
        for _ in 1..<nesting {
            let start = try octets.array(0..<Base64File.examined)
            let first = start.span.trimmed(start.indices).lowerBound
            guard !isText || !Base64File.isDataURL(start.span, at: first),
                let inner = BodyDecoding.repeated(in: start.span)
            else { break }
            octets = try decodeOnce(octets, inner, spool, size)
        }
        return octets
    }

    private static func decodeOnce(
        _ body: SpooledBytes, _ decoding: BodyDecoding, _ spool: SpoolPolicy, _ size: Int
    ) throws(FileError) -> SpooledBytes {
        switch decoding {
        case .identity:
            return body
        case .unquoting(let inner):
            return try decodeOnce(
                decodeOnce(body, .unquotedFrom, spool, size), inner, spool, size)
        case .skipping(let start, let inner):
            return try decodeOnce(
                body.slice(min(start, body.count)..<body.count), inner, spool, size)
        case .keeping(let count, let inner):
            let decoded = try decodeOnce(
                body.slice(min(count, body.count)..<body.count), inner, spool, size)
            var writer = OctetsWriter(spool)
            try writer.append(body.array(0..<count))
            try decoded.forEachPiece { piece throws(FileError) in
                try writer.append(piece)
                return true
            }
            return try writer.finish()
        default:
            var decoder = BodyDecoder(decoding, spool)
            try body.forEachPiece(of: size) { piece throws(FileError) in try decoder.feed(piece) }
            return try decoder.finish()
        }
    }

    private init(_ decoding: BodyDecoding, _ spool: SpoolPolicy) {
        lines = LineDecoder(decoding)
        output = OctetsWriter(spool)
    }

    /// Decodes the whole lines of a piece and keeps the incomplete one; false if decoding is
    /// complete.
    private mutating func feed(_ piece: Span<UInt8>) throws(FileError) -> Bool {
        if lines.ignoresLineEnds {
            take(piece, 0..<piece.count)
            try flush()
            return !lines.isDone
        }
        var start = 0
        while start < piece.count, !lines.isDone {
            let room = BodyDecoder.longestLine - rest.count
            let end = piece.endOfLine(from: start, limit: min(piece.count, start + room))
            let isWhole = piece[end - 1] == UInt8(ascii: "\n")
            if rest.isEmpty, isWhole {
                take(piece, start..<end)
            } else {
                for index in start..<end { rest.append(piece[index]) }
                if isWhole || rest.count >= BodyDecoder.longestLine { takeRest(isWhole) }
            }
            start = end
            if decoded.count > 64 << 10 { try flush() }
        }
        return !lines.isDone
    }

    private mutating func take(_ source: Span<UInt8>, _ line: Range<Int>) {
        lines.decode(source, line, startsLine: startsLine, into: &decoded)
        startsLine = true
    }

    private mutating func takeRest(_ isWhole: Bool) {
        var line: [UInt8] = []
        swap(&line, &rest)
        let cut = isWhole ? line.count : lines.cut(line.span, 0..<line.count)
        take(line.span, 0..<cut)
        startsLine = isWhole
        rest += line[cut...]
    }

    private consuming func finish() throws(FileError) -> SpooledBytes {
        if !rest.isEmpty, !lines.isDone {
            var line: [UInt8] = []
            swap(&line, &rest)
            take(line.span, 0..<line.count)
        }
        lines.finish(into: &decoded)
        try flush()
        return try output.finish()
    }

    private mutating func flush() throws(FileError) {
        var full: [UInt8] = []
        swap(&full, &decoded)
        try output.append(full.span)
        full.removeAll(keepingCapacity: true)
        swap(&full, &decoded)
    }
}
