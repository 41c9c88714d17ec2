import Bytes

/// Bodies, from mark to mark.
extension MessageParser {
    /// Looks at the first line of a body that is not blank: whether it begins an archive, an encoded
    /// file, or a message that was said to be encoded and is not.
    mutating func readBodyStart(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int {
        let start = bytes.trimmed(range).lowerBound
        guard start < range.upperBound else { return range.upperBound }
        var lineStart = start
        while lineStart > range.lowerBound, bytes[lineStart - 1] != UInt8(ascii: "\n") {
            lineStart -= 1
        }
        state = .body
        if leaf.isMessage {
            let end = bytes.endOfLine(from: start, limit: range.upperBound)
            // Base64 has no colon; a header in quoted-printable is not to be told from a plain one.
            if !leaf.header.encodings.contains(.quotedPrintable),
                HeaderBlock.colon(in: bytes, start..<end) != nil, beginMessage(leaf.number)
            {
                return lineStart
            }
            beginCollecting(.message)
        } else if TransferEncoding.ofArchive(bytes, at: start) != nil {
            beginCollecting(.file)
        }
        return lineStart
    }

    /// Goes to the next delimiter, or the next file in the text, and keeps what lies before it if the
    /// part is kept.
    mutating func readBody(
        _ bytes: Span<UInt8>, _ range: Range<Int>, _ marks: borrowing LineMarks, _ mark: inout Int
    ) -> Int {
        while mark < marks.offsets.count {
            let place = Int(marks.offsets[mark])
            guard place < range.upperBound else { break }
            mark += 1
            switch bytes[place] {
            case UInt8(ascii: "-"):
                let line = place..<bytes.endOfLine(from: place, limit: range.upperBound)
                guard let delimiter = boundaries.delimiter(bytes, line) ?? learned(bytes, line)
                else { continue }
                keep(bytes, range.lowerBound..<place)
                endPart(byDelimiter: true)
                meet(delimiter)
                return line.upperBound
            case UInt8(ascii: "b"), UInt8(ascii: "="):
                guard state == .body else { continue }
                let line = place..<bytes.endOfLine(from: place, limit: range.upperBound)
                guard beginLooseFile(bytes, line) else { continue }
                return line.upperBound
            default:
                continue
            }
        }
        keep(bytes, range)
        return range.upperBound
    }

    /// The boundary of a multipart that does not name one is its first `--` line (RFC 2046, 5.1.1
    /// requires the parameter; mailers lose it).
    mutating func learned(
        _ bytes: Span<UInt8>, _ line: Range<Int>
    ) -> OpenBoundaries.Delimiter? {
        guard let top = open.indices.last, open[top].isMultipart, open[top].boundaries.isEmpty,
            state == .body
        else { return nil }
        let text = bytes.trimmed(line).dropFirst(2)
        guard !text.isEmpty else { return nil }
        let boundary = text.map { bytes[$0] }
        open[top].boundaries = [boundary]
        boundaries.open(boundary, level: top)
        return OpenBoundaries.Delimiter(level: top, closes: false)
    }

    /// Closes what a delimiter ends, and begins the next part.
    mutating func meet(_ delimiter: OpenBoundaries.Delimiter) {
        while open.count > delimiter.level + 1 { closeLast() }
        leaf = Leaf()
        partHeader.removeAll()
        guard let last = open.indices.last else { return }
        if delimiter.closes {
            // A multipart stays open behind its end, for parts that were appended there; but one
            // that shares its boundary with an outer one gives it back.
            if boundaries.isShared(open[last].boundaries, level: last) { closeLast() }
            state = .body
        } else {
            open[last].children += 1
            state = .header
        }
    }

    mutating func closeLast() {
        guard let entity = open.popLast() else { return }
        boundaries.close(entity.boundaries, level: open.count)
    }

    mutating func beginCollecting(_ kind: CollectedPart.Kind) {
        collector = PartCollector(kind, spool: spool, limit: limits.partBody)
        state = .collecting
    }

    mutating func keep(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        collector?.append(bytes, range)
    }

    mutating func endPart(byDelimiter: Bool) {
        guard let collected = collector.take() else { return }
        let isLoose = state == .looseFile
        guard !isLoose || collected.isConfirmed else { return }
        do throws(FileError) {
            let cut = collected.isCut
            let name = collected.name
            let kind = collected.kind
            // In an mbox the line end before the next separator belongs to the separator.
            let body = try collected.finish(withoutLineEnd: byDelimiter || isInMbox)
            var header = leaf.header
            var number = leaf.number
            if let name {
                if !leaf.header.encodings.contains(.uuencode),
                    !leaf.header.encodings.contains(.yEnc)
                {
                    number += "!\(name)"
                    header = PartHeader(names: [name])
                } else if header.names.isEmpty {
                    header = header.named(name)
                }
            }
            if cut {
                report(
                    "limit-part-size", "the part is larger than \(limits.partBody >> 20) MiB",
                    number)
            }
            parts.append(
                CollectedPart(
                    number: number, header: header, kind: kind, body: body, isCut: cut,
                    isInMbox: isInMbox))
        } catch {
            report("unreadable", "\(error)", leaf.number)
        }
    }
}
