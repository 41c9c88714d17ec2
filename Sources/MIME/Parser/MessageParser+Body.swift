import Bytes
import Platform

/// Reading bodies, from mark to mark.
extension MessageParser {
    /// Examines the first non-blank line of a body: whether it begins a file or a message that may
    /// contain a pass, or a message declared as encoded that is not.
    mutating func readBodyStart(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int {
        var start = range.lowerBound
        while start < range.upperBound, bytes[start].isWhiteSpace { start += 1 }
        guard start < range.upperBound else { return range.upperBound }
        var lineStart = start
        while lineStart > range.lowerBound, bytes[lineStart - 1] != UInt8(ascii: "\n") {
            lineStart -= 1
        }
        state = .body
        let line = start..<bytes.endOfLine(from: start, limit: range.upperBound)
        let isField = HeaderBlock.colon(in: bytes, line) != nil
        if isEncodedMultipart(bytes, line) {
            beginCollectingMultipart()
        } else if isFile(bytes, line) {
            beginCollecting(.file)
        } else if leaf.isMessage {
            // VIOLATIONS.md, M78: a message that is not encoded as declared. For quoted-printable,
            // the first line does not reveal this.
            if isField, !leaf.header.encodings.contains(.quotedPrintable) {
                _ = beginMessage(leaf.number)
            } else {
                beginCollecting(.message)
            }
        } else if isField, headerPieces < 8, leaf.header.isContinued(by: bytes, line) {
            // VIOLATIONS.md, M2: a blank line in the middle of a header. The pieces are read
            // together.
            if leaf.isTop { partHeader = header }
            headerPieces += 1
            partCount -= 1
            state = .header
        } else if BodyStart.ofMail(bytes, line, leaf.header) != nil
            || BodyStart.isDoubtful(bytes, line, leaf.header)
        {
            beginCollecting(.file)
        }
        return lineStart
    }

    /// Whether a body begins with a file in a pass-carrying format. Encoded files with a name line
    /// are found anywhere in a body.
    private func isFile(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Bool {
        switch BodyStart.ofFile(bytes, line) {
        case .uuencode, .yEnc, nil: false
        default: !leaf.header.isSignature
        }
    }

    /// Advances to the next delimiter or encoded file in the text, and collects the bytes before it
    /// if the part is collected.
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
                else {
                    guard suspect(bytes, line) else { continue }
                    keep(bytes, range.lowerBound..<line.upperBound)
                    return line.upperBound
                }
                keep(bytes, range.lowerBound..<place)
                endPart(byDelimiter: true)
                meet(delimiter)
                return line.upperBound
            case UInt8(ascii: "b"), UInt8(ascii: "B"), UInt8(ascii: "="):
                guard state == .body else { continue }
                let line = place..<bytes.endOfLine(from: place, limit: range.upperBound)
                guard beginLooseFile(bytes, line) else { continue }
                keepText(bytes, range.lowerBound..<line.upperBound)
                return line.upperBound
            case UInt8(ascii: "C"), UInt8(ascii: "c"):
                guard let missed = missedDelimiter(bytes, before: place) else { continue }
                let end = place - missed.length
                if end > range.lowerBound { keep(bytes, range.lowerBound..<end) }
                collector?.dropLast(range.lowerBound - end)
                endPart(byDelimiter: true)
                meet(missed.delimiter)
                return place
            default:
                continue
            }
        }
        keep(bytes, range)
        return range.upperBound
    }

    /// For a multipart without a boundary parameter, the first `--` line is the boundary
    /// (VIOLATIONS.md, M64).
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

    /// Records a line that may be the delimiter of an unknown multipart; the next line decides.
    mutating func suspect(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Bool {
        let text = bytes.trimmed(line).dropFirst(2)
        guard state == .body, !text.isEmpty, text.count <= OpenBoundaries.longest else {
            return false
        }
        suspect.removeAll(keepingCapacity: true)
        for index in text { suspect.append(bytes[index]) }
        suspectFields = 0
        state = .behindDashes
        return true
    }

    /// Treats a `--` line followed by a header as a delimiter, even if no header names its boundary
    /// (VIOLATIONS.md, M65).
    mutating func readBehindDashes(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int {
        state = .body
        let line =
            range.lowerBound..<bytes.endOfLine(from: range.lowerBound, limit: range.upperBound)
        guard HeaderBlock.colon(in: bytes, line) != nil else { return range.lowerBound }
        guard bytes.hasPrefix(caseInsensitive: "content-", at: line.lowerBound) else {
            // Other fields may precede those of a part.
            suspectFields += 1
            guard suspectFields < 16 else { return range.lowerBound }
            state = .behindDashes
            keep(bytes, line)
            return line.upperBound
        }
        if suspectFields == 0, let missed = missedDelimiter(bytes, before: line.lowerBound) {
            meet(missed.delimiter)
            return range.lowerBound
        }
        if let top = open.indices.last, open[top].isMultipart, open[top].children == 0 {
            open[top].boundaries.append(suspect)
            boundaries.open(suspect, level: top)
        } else if !push([suspect], isDigest: false, isInText: true, leaf.number) {
            return range.lowerBound
        }
        meet(OpenBoundaries.Delimiter(level: open.count - 1, closes: false))
        return range.lowerBound
    }

    /// Closes the parts that a delimiter ends, and begins the next part. VIOLATIONS.md, M73: the
    /// inner ones may have no closing delimiter.
    mutating func meet(_ delimiter: OpenBoundaries.Delimiter) {
        endText(byDelimiter: true)
        while open.count > delimiter.level + 1 { closeLast() }
        leaf = Leaf()
        headerPieces = 0
        partHeader.removeAll()
        guard let last = open.indices.last else { return }
        if delimiter.closes {
            // VIOLATIONS.md, M74: a multipart stays open after its closing delimiter, for parts
            // that were appended later; but if it shares its boundary with an outer one, the outer
            // one gets it back.
            if boundaries.isShared(level: last) { closeLast() }
            state = .body
        } else {
            open[last].children += 1
            state = .header
        }
    }

    mutating func closeLast() {
        guard open.popLast() != nil else { return }
        boundaries.close(level: open.count)
    }

    mutating func beginCollecting(_ kind: CollectedPart.Kind) {
        var spool = spool
        // Many fragments may be held at once.
        if kind == .fragment { spool.memory = min(spool.memory, 64 << 10) }
        collector = PartCollector(kind, spool: spool, limit: limits.partBody)
        state = .collecting
    }

    mutating func keep(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        collector?.append(bytes, range)
        keepText(bytes, range)
    }

    mutating func endPart(byDelimiter: Bool) {
        let file = looseFile.take()
        guard let collected = collector.take(), file?.isConfirmed ?? true else { return }
        if file != nil { partCount += 1 }
        do throws(FileError) {
            let cut = collected.isCut
            let kind = collected.kind
            // In an mbox, the line end before the next `From ` line is part of the separator.
            let body = try collected.finish(withoutLineEnd: byDelimiter || isInMbox)
            let part =
                file.map { self.part(of: $0, body, isCut: cut) }
                ?? CollectedPart(
                    number: leaf.number, header: leaf.header, kind: kind, body: body, isCut: cut,
                    isInMbox: isInMbox, headerLength: leaf.headerLength)
            if cut {
                report(.partTooLarge(limit: limits.partBody), part.number)
            }
            parts.append(part)
        } catch {
            report(.unreadable(error), leaf.number)
        }
    }
}
