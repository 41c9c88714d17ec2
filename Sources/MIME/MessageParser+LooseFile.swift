import Bytes

/// Encoded files in text, line by line.
extension MessageParser {
    /// Whether a line begins an encoded file in the text. What the file is, its next line says.
    mutating func beginLooseFile(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Bool {
        guard let raw = UUEncoding.name(bytes, line) ?? YEnc.name(bytes, line) else { return false }
        guard partCount < limits.parts else {
            report("limit-parts", "the message has more than \(limits.parts) parts", "")
            return false
        }
        let name = PartHeader.fileName(EncodedWords.decode(raw)) ?? ""
        var collector = PartCollector(
            .file, spool: spool, limit: limits.partBody, name: name,
            isWanted: isOfInterest(PartHeader(names: [name])))
        collector.append(bytes, line)
        self.collector = consume collector
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
            if startsLine {
                if bytes.hasPrefix("--", at: position),
                    let delimiter = boundaries.delimiter(bytes, line)
                {
                    endPart(byDelimiter: true)
                    meet(delimiter)
                    return line.upperBound
                }
                if collector?.isConfirmed == false, !bytes.hasPrefix("=ypart ", at: position) {
                    guard collector?.confirm(bytes, line) == true else {
                        // Text that only looked like the beginning of a file.
                        collector = nil
                        state = .body
                        return position
                    }
                }
            }
            collector?.append(bytes, line)
            position = line.upperBound
            if startsLine, isEnd(bytes, line) {
                partCount += 1
                endPart(byDelimiter: false)
                state = .body
                return position
            }
            startsLine = true
        }
        return position
    }

    func isEnd(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Bool {
        let text = bytes.trimmed(line)
        return bytes.hasPrefix("=yend", at: text.lowerBound)
            || text.count == 3 && bytes.hasPrefix("end", at: text.lowerBound)
    }
}
