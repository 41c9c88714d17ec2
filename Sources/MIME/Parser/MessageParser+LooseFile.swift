import Bytes

/// Encoded files in text, line by line.
extension MessageParser {
    /// Whether a line begins an encoded file in the text. The next line confirms it.
    mutating func beginLooseFile(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Bool {
        let isQuoted = leaf.header.encodings.contains(.quotedPrintable)
        let isOfInterest = isOfInterest
        let file = LooseFile(bytes, line, isQuoted: isQuoted) {
            isOfInterest(PartHeader(names: [$0]))
        }
        guard let file else { return false }
        guard partCount < limits.parts else {
            report(.tooManyParts(limit: limits.parts), "")
            return false
        }
        looseFile = file
        collector = PartCollector(.file, spool: spool, limit: limits.partBody)
        collector?.append(bytes, line)
        state = .looseFile
        return true
    }

    mutating func readLooseFile(
        _ bytes: Span<UInt8>, _ range: Range<Int>, _ startsLine: Bool
    ) -> Int {
        var position = range.lowerBound
        var startsLine = startsLine
        while position < range.upperBound {
            let line = position..<bytes.endOfLine(from: position, limit: range.upperBound)
            var isLast = false
            if startsLine {
                if bytes.hasPrefix("--", at: position),
                    let delimiter = boundaries.delimiter(bytes, line)
                {
                    endPart(byDelimiter: true)
                    meet(delimiter)
                    return line.upperBound
                }
                switch looseFile?.step(bytes, line) {
                case .keep: break
                case .last: isLast = true
                case .skip:
                    position = line.upperBound
                    continue
                case .text, nil:
                    endPart(byDelimiter: false)
                    state = .body
                    return position
                }
            }
            collector?.append(bytes, line)
            position = line.upperBound
            if isLast {
                endPart(byDelimiter: false)
                state = .body
                return position
            }
            startsLine = true
        }
        return position
    }

    /// The part for a file in the text: numbered like the text, with the file's name appended. If
    /// the whole part is declared a file, the file is the part.
    func part(of file: LooseFile, _ body: SpooledBytes, isCut: Bool) -> CollectedPart {
        let names = file.name.isEmpty ? [] : [file.name]
        let encodings = leaf.header.encodings
        var number = leaf.number
        let header: PartHeader
        if encodings.contains(.uuencode) || encodings.contains(.yEnc) {
            header = leaf.header.names.isEmpty ? leaf.header.named(names) : leaf.header
        } else {
            number += "!\(file.name)"
            header = PartHeader(
                names: names,
                encodings: encodings.contains(.quotedPrintable) ? [.quotedPrintable] : [])
        }
        return CollectedPart(
            number: number, header: header, kind: .file, body: body, isCut: isCut,
            isInMbox: isInMbox)
    }
}
