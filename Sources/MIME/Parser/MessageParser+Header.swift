import Bytes

/// Reading header blocks, line by line.
extension MessageParser {
    mutating func readHeader(
        _ bytes: Span<UInt8>, _ range: Range<Int>, _ startsLine: Bool
    ) -> Int {
        var position = range.lowerBound
        var startsLine = startsLine
        var lineEnd = position
        var textEnd = position
        /// No bare carriage return before this offset.
        var looked = position
        while position < range.upperBound {
            if position >= lineEnd {
                lineEnd = bytes.endOfLine(from: position, limit: range.upperBound)
                textEnd = bytes.withoutLineEnding(position..<lineEnd).upperBound
            }
            if !startsLine, byte(before: position, bytes) == 0x0D {
                // VIOLATIONS.md, M5: the reader cut a long line at a bare carriage return.
                startsLine =
                    bytes[position] == 0x0D
                    || bytes.hasPrefix(caseInsensitive: "content-", at: position)
            }
            let text = position..<max(position, textEnd)
            if looked < text.upperBound {
                // Search several lines at once: most headers contain no bare carriage returns.
                let ahead = position..<min(max(lineEnd, position + 2048), range.upperBound)
                looked = bytes.firstIndex(of: 0x0D, in: ahead) ?? ahead.upperBound
            }
            let end = looked < text.upperBound ? endOfField(bytes, text, lineEnd) : lineEnd
            let line = position..<end
            if !startsLine {
                if continuesField { continueField(bytes, line) }
            } else if bytes[position] == 0x20 || bytes[position] == 0x09 {
                // VIOLATIONS.md, M14: if a message was indented as a whole, so is the first field.
                // M19: a continuation of white space only.
                if !isHeaderEmpty || !beginField(bytes, bytes.trimmed(line)) {
                    continueField(bytes, line)
                }
                continuesField = true
            } else if let next = readDelimiterInHeader(bytes, line) {
                return next
            } else if beginField(bytes, line) {
                continuesField = true
            } else if let next = readOddHeaderLine(bytes, line) {
                return next
            } else {
                continuesField = isFieldContinued(by: bytes, line)
                if continuesField { continueField(bytes, line) }
            }
            startsLine = true
            position = end
            if isTopHeader ? header.isPassingOver : partHeader.isPassingOver {
                position = Self.endOfFolds(bytes, position, min(looked, range.upperBound))
            }
        }
        return position
    }

    /// The end of the continuation lines of a skipped field, at most `limit`, which is before a
    /// bare carriage return. Most fields are skipped without examining their lines.
    private static func endOfFolds(_ bytes: Span<UInt8>, _ start: Int, _ limit: Int) -> Int {
        var position = start
        while position < limit, bytes[position] == 0x20 || bytes[position] == 0x09,
            let end = bytes.firstIndex(of: 0x0A, in: position..<limit)
        {
            position = end + 1
        }
        return position
    }

    /// The end of a header line. VIOLATIONS.md, M16: a bare carriage return counts if a field or a
    /// blank line follows. M11: any other is text, like a NUL.
    private func endOfField(_ bytes: Span<UInt8>, _ text: Range<Int>, _ lineEnd: Int) -> Int {
        var index = text.lowerBound
        while let place = bytes.firstIndex(of: 0x0D, in: index..<text.upperBound) {
            let next = place + 1
            let isBlank = place == text.lowerBound && byte(before: place, bytes) == 0x0D
            let isBeforeBlank = next < text.upperBound && bytes[next] == 0x0D
            if isBlank || isBeforeBlank || bytes.hasPrefix(caseInsensitive: "content-", at: next) {
                return next
            }
            index = next
        }
        return lineEnd
    }

    private func byte(before place: Int, _ bytes: Span<UInt8>) -> UInt8? {
        place > runStart ? bytes[place - 1] : lastLine.last
    }

    /// Handles a delimiter in a header; returns the offset to continue at. VIOLATIONS.md, M72: no
    /// blank line before it.
    mutating func readDelimiterInHeader(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Int? {
        guard bytes.hasPrefix("--", at: line.lowerBound) else { return nil }
        if let delimiter = boundaries.delimiter(bytes, line) {
            endHeader()
            endPart(byDelimiter: true)
            meet(delimiter)
            return line.upperBound
        }
        if isMessageHeader, isHeaderEmpty, bytes.trimmed(line).count > 2 {
            // VIOLATIONS.md, M79: a message without its header.
            endHeader()
            return line.lowerBound
        }
        // The multipart's own first delimiter. Limited, because each attempt parses the header.
        guard headerDashes < 4 else { return nil }
        headerDashes += 1
        let part = PartHeader(isTopHeader ? header : partHeader, limits: limits)
        let boundary = bytes.trimmed(line).dropFirst(2).map { bytes[$0] }
        guard part.isMultipart, part.boundaries.contains(boundary) else { return nil }
        endHeader()
        return line.lowerBound
    }

    /// Handles a header line that is not a field: the end of the header, a body without a blank
    /// line before it, or junk (VIOLATIONS.md, M1). Returns the offset to continue at if the header
    /// ended.
    mutating func readOddHeaderLine(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Int? {
        let text = bytes.withoutLineEnding(line)
        if text.isEmpty {
            // VIOLATIONS.md, M3: blank lines before the first field.
            if isMessageHeader, isHeaderEmpty { return nil }
            endHeader()
            return line.upperBound
        }
        // VIOLATIONS.md, M4: no blank line before the body.
        if !isHeaderEmpty, BodyStart.ofFile(bytes, text) != nil {
            endHeader()
            return line.lowerBound
        }
        return nil
    }

    var isMessageHeader: Bool { isTopHeader || open.last?.isMultipart == false }

    var isHeaderEmpty: Bool { isTopHeader ? header.isEmpty : partHeader.isEmpty }

    private mutating func isFieldContinued(by bytes: Span<UInt8>, _ line: Range<Int>) -> Bool {
        isTopHeader
            ? header.isContinued(by: bytes, line) : partHeader.isContinued(by: bytes, line)
    }

    mutating func beginField(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Bool {
        let limit = limits.headerBlock
        return isTopHeader
            ? header.beginField(bytes, line, limit: limit)
            : partHeader.beginField(bytes, line, limit: limit)
    }

    mutating func continueField(_ bytes: Span<UInt8>, _ line: Range<Int>) {
        if isTopHeader {
            header.continueField(bytes, line, limit: limits.headerBlock)
        } else {
            partHeader.continueField(bytes, line, limit: limits.headerBlock)
        }
    }

    /// Decides from the complete header how to read the body.
    mutating func endHeader() {
        let parent = open.last
        if !isTopHeader, parent?.isQuotedPrintable == true {
            partHeader.decodeQuotedPrintable()
        }
        let part = PartHeader(isTopHeader ? header : partHeader, limits: limits)
        let number = numberOfNext(part, in: parent)
        let isTop = isTopHeader
        isTopHeader = false
        continuesField = false
        headerDashes = 0
        text = nil
        if part.isCut { report(.headerTooLarge, number) }

        if part.isMultipart, push(part.boundaries, isDigest: part.isDigest, number) {
            leaf = Leaf(number: number.isEmpty ? "1" : number, header: part, isTop: isTop)
            if let last = open.indices.last {
                open[last].isQuotedPrintable =
                    parent?.isQuotedPrintable == true || part.encodings.contains(.quotedPrintable)
            }
            state = .bodyStart
            return
        }
        let isMessage =
            part.isMessage || part.mediaTypes.isEmpty && parent?.isDigest == true
        leaf = Leaf(number: number, header: part, isMessage: isMessage, isTop: isTop)
        partCount += 1
        guard partCount <= limits.parts else {
            report(.tooManyParts(limit: limits.parts), "")
            state = .body
            return
        }
        if part.partial != nil {
            beginCollecting(.fragment)
            return
        }
        // In quoted text, a part header proves nothing; only the bytes of an archive count.
        let isInText = open.contains { $0.isInText }
        // Only the bytes stored elsewhere show what a removed body was.
        if part.isTakenOut, !isInText {
            beginCollecting(.file)
            return
        }
        if isMessage {
            // VIOLATIONS.md, M77: an encoded message.
            let isEncoded = part.encodings.contains { $0 != .identity && $0 != .yEnc }
            if !isEncoded {
                if !beginMessage(number) { state = .body }
                return
            }
        }
        if wantsText, !leaf.isMessage { beginText(isTop ? header : partHeader) }
        if !isInText, part.isExternalBody {
            let external = ExternalBody(isTop ? header : partHeader, limits: limits)
            beginCollecting(.externalBody(external))
        } else if !leaf.isMessage, !isInText, isOfInterest(part) || part.saysContainer {
            beginCollecting(.file)
        } else {
            state = .bodyStart
        }
    }
}
