package import Bytes
import MIME
import Platform

/// BinHex 4.0 (RFC 1741, appendix A).
extension MacFile {
    /// Decodes the stream in a text: after the line that announces it, or at the start. `limit`
    /// applies to the data fork, in bytes.
    package init(
        binHex text: SpooledBytes, limit: Int, spool: SpoolPolicy = SpoolPolicy()
    ) throws(MacFileError) {
        let head = try BigEndian(text, 0..<longestPreamble).bytes
        guard let start = MacFile.startOfBinHex(head.span) else { throw .notOfForm(.binHex) }
        var decoder = BinHexDecoder(limit: limit, spool: spool)
        do throws(FileError) {
            let encoded = text.slice(start..<text.count)
            try encoded.forEachPiece(skipsHoles: true) { piece throws(FileError) in
                try decoder.decode(piece)
            }
        } catch {
            throw .file(error)
        }
        let name = decoder.name
        switch decoder.end {
        case .whole: break
        case .tooLarge: throw .tooLarge(MacFile.fileName(name), limit: limit)
        case .cut where !name.isEmpty, nil where !name.isEmpty:
            throw .truncated(MacFile.fileName(name))
        case .cut, .noHeader, nil: throw .notOfForm(.binHex)
        }
        do throws(FileError) {
            self.init(name: name, dataFork: try decoder.finish())
        } catch {
            throw .file(error)
        }
    }

    /// The offset of the first character after the opening colon.
    private static func startOfBinHex(_ text: Span<UInt8>) -> Int? {
        let colon = UInt8(ascii: ":")
        var start = text.trimmed(0..<text.count).lowerBound
        if start < text.count, text[start] == colon { return start + 1 }
        func beginsLine(_ index: Int) -> Bool { index == 0 || text[index - 1].isWhiteSpace }
        while start < text.count,
            !(beginsLine(start) && MacSignature.isBinHexMarker(text, at: start))
        {
            start += 1
        }
        while start < text.count, !(beginsLine(start) && text[start] == colon) { start += 1 }
        return start < text.count ? start + 1 : nil
    }
}

/// The most text before the stream, in bytes.
private let longestPreamble = 64 << 10
