package import Bytes
package import Platform

/// Finds long runs of base64 in a text, such as a file in a `data:` URL, by samples: most text is
/// skipped as fast as any other body.
struct Base64Sampler {
    /// The number of consecutive samples that were base64.
    private var run = 0
    /// The quote that ends the picture being skipped.
    private var quote: UInt8?
    /// The place in the text of the next sample. Places do not depend on how the text is divided.
    private var place = 0
    /// The place behind the last picture.
    private var floor = 0
    /// The number of bytes before the current piece of the text, and the last of them.
    private var count = 0
    private var before: [UInt8] = []
    /// Whether the text itself is base64, in lines of whole groups.
    private var isEncoded: Bool
    /// Whether the charset that the first bytes show was examined.
    private var isCharsetKnown = false
    private var decoded: [UInt8] = []

    /// The distance and the length of samples, in bytes. Two samples in a row make a run: every
    /// pass is longer, since it contains a signature, and most tokens in links are shorter.
    private static let distance = 1024
    /// The distance in text that is base64 itself, where files are longer.
    private static let encodedDistance = distance * 5 / 3
    private static let length = 32
    /// The number of bytes that show whether the text is in UTF-16 or UTF-32.
    private static let beginning = 64
    /// The number of bytes before the second sample that contain the start of the run and of its
    /// URL.
    private var lookBehind: Int {
        3 * (isEncoded ? Base64Sampler.encodedDistance : Base64Sampler.distance)
    }

    init(isEncoded: Bool = false) {
        self.isEncoded = isEncoded
    }

    /// Begins another text, with the same memory.
    mutating func begin(isEncoded: Bool) {
        self.isEncoded = isEncoded
        isCharsetKnown = false
        (run, quote, place, floor, count) = (0, nil, 0, 0, 0)
        before.removeAll(keepingCapacity: true)
    }

    /// Examines the next bytes of the text; true if a run begins that may be a file. Pictures are
    /// skipped.
    mutating func findsFile(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        let piece = bytes.extracting(range)
        if !isCharsetKnown, count + piece.count >= Base64Sampler.beginning {
            isCharsetKnown = true
            let isWide =
                count == 0
                ? isWide(piece.extracting(first: Base64Sampler.beginning))
                : isWide(text(0..<Base64Sampler.beginning, piece).span)
            if isWide {
                // Characters are found from the start of the text only.
                place = 0
                return true
            }
        }
        if isEncoded ? findsEncodedFile(piece) : findsPlainFile(piece) { return true }
        keepEnd(of: piece)
        return false
    }

    /// Keeps the last bytes, of which a run may need some that begins in the next piece.
    private mutating func keepEnd(of piece: Span<UInt8>) {
        // Nothing before the end of a picture is needed.
        let start = quote == nil ? max(place - lookBehind, floor) : place
        let kept = max(start - (count - before.count), 0)
        if kept >= before.count {
            before.removeAll(keepingCapacity: true)
        } else if kept > 0 {
            before.removeFirst(kept)
        }
        let rest = min(max(start - count, 0), piece.count)..<piece.count
        unsafe piece.extracting(rest).withUnsafeBufferPointer {
            unsafe before.append(contentsOf: $0)
        }
        count += piece.count
    }

    /// The text from shortly before the file that was found last: the end of the earlier pieces,
    /// and the rest of the current one.
    func textOfFile(_ range: Range<Int>, of bytes: Span<UInt8>) -> (ArraySlice<UInt8>, Range<Int>) {
        var start = max(place - lookBehind, floor)
        // Encoded text is decoded from the start of a line.
        if isEncoded, start > 0 {
            let line = firstIndex(of: UInt8(ascii: "\n"), from: start, bytes.extracting(range))
            start = line ?? place
        }
        let old = before.suffix(max(count - start, 0))
        return (old, range.lowerBound + max(start - count, 0)..<range.upperBound)
    }

    /// Whether text that begins with these bytes, still encoded, is in UTF-16 or UTF-32.
    private mutating func isWide(_ start: Span<UInt8>) -> Bool {
        decoded.removeAll(keepingCapacity: true)
        if isEncoded {
            var decoder = Base64()
            decoder.decode(start, start.indices, into: &decoded)
            return TextForm.wideCharset(of: decoded) != nil
        }
        if start.firstIndex(of: 0, in: start.indices) != nil || ByteOrderMark(start) != nil {
            unsafe start.withUnsafeBufferPointer { unsafe decoded.append(contentsOf: $0) }
            if TextForm.wideCharset(of: decoded) != nil { return true }
            decoded.removeAll(keepingCapacity: true)
        }
        // NUL or a byte order mark in quoted-printable.
        guard start.firstIndex(of: UInt8(ascii: "="), in: start.indices) != nil,
            start.indices.dropLast().contains(where: { index in
                start[index] == UInt8(ascii: "=")
                    && (start[index + 1] == UInt8(ascii: "0") || start[index + 1] | 0x20 == 0x66)
            })
        else { return false }
        QuotedPrintable.decodeLine(start, start.indices, into: &decoded)
        return TextForm.wideCharset(of: decoded) != nil
    }

    private mutating func findsPlainFile(_ piece: Span<UInt8>) -> Bool {
        let end = count + piece.count
        while place < end {
            if let quote {
                guard let found = firstIndex(of: quote, from: place, piece) else {
                    place = end
                    return false
                }
                (self.quote, run, floor, place) = (nil, 0, found, found)
            } else if place + Base64Sampler.length > end {
                return false
            } else if !isBase64(piece, at: place) {
                // Of two samples in a row, one is at an even multiple of the distance.
                place += (run == 0 ? 2 : 1) * Base64Sampler.distance
                run = 0
            } else if run == 1 || followsBase64(piece) {
                guard let (start, mark) = picture(before: place, piece) else { return true }
                quote = mark
                place = start + 1
            } else {
                run = 1
                place += Base64Sampler.distance
            }
        }
        return false
    }

    /// Whether the sample before the next one, which was skipped, is base64.
    private func followsBase64(_ piece: Span<UInt8>) -> Bool {
        let last = place - Base64Sampler.distance
        return last >= floor && isBase64(piece, at: last)
    }

    /// Examines text in base64, also for files in uuencode and yEnc.
    private mutating func findsEncodedFile(_ piece: Span<UInt8>) -> Bool {
        let end = count + piece.count
        while place < end {
            // Lines are decoded from their start.
            place = firstIndex(of: UInt8(ascii: "\n"), from: place, piece) ?? end
            guard place + Base64Sampler.length < end else { return false }
            if !isEncodedFile(piece, at: place + 1) {
                place += (run == 0 ? 2 : 1) * Base64Sampler.encodedDistance
                run = 0
            } else if run == 1 || followsEncodedFile(piece) {
                return true
            } else {
                run = 1
                place += Base64Sampler.encodedDistance
            }
        }
        return false
    }

    /// Whether the sample before the next one, which was skipped, belongs to an encoded file.
    private mutating func followsEncodedFile(_ piece: Span<UInt8>) -> Bool {
        let last = place - Base64Sampler.encodedDistance
        guard last >= 0, let line = firstIndex(of: UInt8(ascii: "\n"), from: last, piece),
            line + Base64Sampler.length < place
        else { return false }
        return isEncodedFile(piece, at: line + 1)
    }

    private mutating func isEncodedFile(_ piece: Span<UInt8>, at place: Int) -> Bool {
        decoded.removeAll(keepingCapacity: true)
        var decoder = Base64()
        let start = place - count
        if start >= 0 {
            decoder.decode(piece, start..<start + Base64Sampler.length, into: &decoded)
        } else {
            let sample = text(place..<place + Base64Sampler.length, piece)
            decoder.decode(sample.span, sample.indices, into: &decoded)
        }
        // Most samples are prose.
        if hasWord(decoded.span, decoded.indices) { return isOtherFile(decoded) }
        return isBase64(decoded.span, decoded.indices) || isBase64WithBreak(decoded)
            || isOtherFile(decoded)
    }

    /// Bytes of the text that may begin in an earlier piece.
    private func text(_ places: Range<Int>, _ piece: Span<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(places.count)
        text += before.suffix(max(count - places.lowerBound, 0)).prefix(places.count)
        let rest = max(places.lowerBound - count, 0)..<max(places.upperBound - count, 0)
        unsafe piece.extracting(rest).withUnsafeBufferPointer {
            unsafe text.append(contentsOf: $0)
        }
        return text
    }

    /// The first place of a byte from a place in the text on.
    private func firstIndex(of byte: UInt8, from place: Int, _ piece: Span<UInt8>) -> Int? {
        if place < count {
            let old = before.suffix(count - place)
            if let index = old.firstIndex(of: byte) { return count - (before.count - index) }
        }
        return piece.firstIndex(of: byte, in: max(place - count, 0)..<piece.count).map {
            count + $0
        }
    }

    private func isBase64(_ piece: Span<UInt8>, at place: Int) -> Bool {
        let start = place - count
        if start >= 0 { return isBase64(piece, start..<start + Base64Sampler.length) }
        let sample = text(place..<place + Base64Sampler.length, piece)
        return isBase64(sample.span, sample.indices)
    }

    /// Whether a sample is uuencoded, without small letters, or yEnc, with control characters.
    private func isOtherFile(_ bytes: [UInt8]) -> Bool {
        if bytes.contains(where: { $0 < 0x20 && !$0.isWhiteSpace }) { return true }
        var index = 0
        var digits = 0
        while index < bytes.count {
            if bytes[index] <= 0x60 {
                digits += bytes[index] > 0x20 ? 1 : 0
                index += 1
                continue
            }
            // In a page, three digits of uuencode are references: `&amp;` (VIOLATIONS.md, M61).
            // Most samples are prose.
            if index > 0, !"&#<".utf8.contains(bytes[index - 1]) { return false }
            let end = bytes[index...].firstIndex { $0 <= 0x60 } ?? bytes.count
            guard isInMarkup(bytes, index..<end) else { return false }
            digits += end - index
            index = end
        }
        return digits >= Base64Sampler.length / 2
    }

    /// Whether a sample is base64 whose lines end in `<br>`. It may begin or end within one.
    private func isBase64WithBreak(_ bytes: [UInt8]) -> Bool {
        guard let mark = bytes.firstIndex(where: { $0 == 0x3C || $0 == 0x3E }) else { return false }
        let isWhole = bytes[mark] == UInt8(ascii: "<")
        let gap = isWhole ? mark..<min(mark + 4, bytes.count) : 0..<mark + 1
        let found = bytes[gap]
        guard gap.count <= 4,
            isWhole
                ? Base64Sampler.lineBreak.starts(with: found)
                : Base64Sampler.lineBreak.suffix(gap.count).elementsEqual(found)
        else { return false }
        let before = bytes[..<gap.lowerBound]
        let after = bytes[gap.upperBound...].drop(while: \.isWhiteSpace)
        return before.count + after.count >= Base64Sampler.length / 2
            && before.allSatisfy(Base64.isDigit) && after.allSatisfy(Base64.isDigit)
    }

    private static let lineBreak = Array("<br>".utf8)

    /// Whether small letters in a sample belong to a character reference for a digit of uuencode, or
    /// to a `<br>`. The sample may begin or end within them.
    private func isInMarkup(_ bytes: [UInt8], _ word: Range<Int>) -> Bool {
        let letters = bytes[word]
        guard letters.allSatisfy({ (0x61...0x7A).contains($0) }) else { return false }
        let isCut = word.upperBound == bytes.count
        let isEnded = isCut || " /;>".utf8.contains(bytes[word.upperBound])
        guard word.lowerBound > 0 else { return isEnded && word.count <= 4 }
        switch bytes[word.lowerBound - 1] {
        case UInt8(ascii: "&"):
            return Base64Sampler.references.contains {
                isCut ? $0.starts(with: letters) : isEnded && $0.elementsEqual(letters)
            }
        case UInt8(ascii: "#"): return letters.elementsEqual("x".utf8)
        case UInt8(ascii: "<"): return isEnded && "br".utf8.starts(with: letters)
        default: return false
        }
    }

    private static let references = ["amp", "lt", "gt", "quot", "apos"].map { Array($0.utf8) }

    /// Whether a sample is base64, perhaps folded, or written with percent-encoding, escapes,
    /// quoted-printable or character references.
    private func isBase64(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        if hasWord(bytes, range) { return false }
        var digits = 0
        var (percents, marks, references, numbers) = (0, 0, 0, 0)
        var mayBeSpace = true
        for index in range {
            let byte = bytes[index]
            if byte.isASCIILetter || byte.isASCIIDigit {
                digits += 1
                mayBeSpace = false
                continue
            }
            switch byte {
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"): mayBeSpace = true
            // Lines may be indented, or end in a space (RFC 3676), but words are no base64.
            case UInt8(ascii: " "), UInt8(ascii: "\t"):
                let next = index + 1 < range.upperBound ? bytes[index + 1] : 0x0A
                if !mayBeSpace, next != 0x0A, next != 0x0D { return false }
            // The mark of a quoted line.
            case UInt8(ascii: ">"): if !mayBeSpace { return false }
            case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                UInt8(ascii: "="), UInt8(ascii: ";"), UInt8(ascii: "\\"):
                mayBeSpace = false
            case UInt8(ascii: "%"): percents += 1
            case UInt8(ascii: "&"): references += 1
            case UInt8(ascii: "#"): numbers += 1
            case UInt8(ascii: "."), UInt8(ascii: "!"), UInt8(ascii: "~"), UInt8(ascii: "*"),
                UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "'"):
                marks += 1
            default: return false
            }
        }
        // Percent-encoding leaves marks as they are. Pages are padded with `&nbsp;`.
        return digits > range.count / 4 && (marks == 0 || percents >= 6)
            && (references < 4 || references == numbers)
    }

    /// Whether a letter is followed by a space within a line, as in nearly every sample of prose, but
    /// not in base64. Some marks count as letters, which are not in base64 either. False if a line
    /// ends in the sample or may end after it: flowed lines end in a space (RFC 3676, 4.1).
    private func hasWord(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard (18...32).contains(range.count), range.lowerBound >= 0,
            range.upperBound <= bytes.count
        else { return false }
        return unsafe bytes.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress else { return false }
            let start = unsafe base + range.lowerBound
            let end = unsafe base + range.upperBound
            var last = unsafe wordEnds(end - 17)
            last[15] = 0
            return unsafe wordEnds(start) | last != SIMD16(repeating: 0)
                && lineEnds(start) | lineEnds(end - 16) == SIMD16(repeating: 0)
        }
    }

    /// Sets the bytes at which a letter is followed by a space. The masks are integers, see
    /// ``LineMarks``.
    @inline(__always)
    private func wordEnds(_ pointer: UnsafeRawPointer) -> SIMD16<UInt8> {
        let here = unsafe pointer.loadUnaligned(as: SIMD16<UInt8>.self)
        let next = unsafe (pointer + 1).loadUnaligned(as: SIMD16<UInt8>.self)
        let letters = equal(here & SIMD16<UInt8>(repeating: 0xC0), 0x40)
        return letters & equal(next, 0x20) & ~equal(here, UInt8(ascii: "~"))
    }

    /// Sets the bytes that end lines.
    @inline(__always)
    private func lineEnds(_ pointer: UnsafeRawPointer) -> SIMD16<UInt8> {
        let bytes = unsafe pointer.loadUnaligned(as: SIMD16<UInt8>.self)
        return equal(bytes, 0x0A) | equal(bytes, 0x0D)
    }

    @inline(__always)
    private func equal(_ block: SIMD16<UInt8>, _ byte: UInt8) -> SIMD16<UInt8> {
        unsafe unsafeBitCast(block .== SIMD16<UInt8>(repeating: byte), to: SIMD16<UInt8>.self)
    }

    /// The last `data:` URL before a place if it is a picture: the place of its opening quote, and
    /// the quote.
    private func picture(before place: Int, _ piece: Span<UInt8>) -> (place: Int, quote: UInt8)? {
        let start = max(floor, place - lookBehind)
        if start >= count {
            let range = start - count..<place - count
            guard let quote = picture(piece, range) else { return nil }
            return (count + quote, piece[quote])
        }
        let text = text(start..<place + Base64Sampler.length, piece)
        guard let quote = picture(text.span, 0..<place - start) else { return nil }
        return (start + quote, text[quote])
    }

    /// The opening quote of the last `data:` URL if it is a picture.
    private func picture(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        guard let colon = lastScheme(in: bytes, range) else { return nil }
        let quote = colon - 5
        let type = colon + 1
        guard bytes.hasPrefix(caseInsensitive: "image/", at: type),
            bytes[quote] == UInt8(ascii: "\"") || bytes[quote] == UInt8(ascii: "'"),
            let comma = bytes.firstIndex(of: UInt8(ascii: ","), in: type..<range.upperBound)
        else { return nil }
        // The media type may be wrong.
        return bytes.hasPrefix("UEsD", at: comma + 1) ? nil : quote
    }

    /// The colon of the last `data:`, with a byte before it. Base64 has no colon, so that most of
    /// the bytes are skipped.
    private func lastScheme(in bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        var end = range.upperBound
        while end > range.lowerBound + 5 {
            let start = max(range.lowerBound + 5, end - 256)
            let first = bytes.firstIndex(of: UInt8(ascii: ":"), in: start..<end) ?? end
            for colon in (first..<end).reversed()
            where bytes[colon] == UInt8(ascii: ":")
                && bytes.hasPrefix(caseInsensitive: "data", at: colon - 4)
            {
                return colon
            }
            end = start
        }
        return nil
    }
}

extension SpooledBytes {
    /// Whether a text may contain a file in a `data:` URL.
    package func mayHoldDataURL(_ form: TextForm) throws(FileError) -> Bool {
        var sampler = Base64Sampler()
        var isFound = false
        let start = try array(0..<512)
        if form.hidesASCII || TextForm.wideCharset(of: start) != nil {
            try readText(form) { text in
                // A program without the charset's table reads U+FFFD only.
                let isUnread = text.count <= 4 && text.hasPrefix("\u{FFFD}", at: 0)
                if !isFound { isFound = isUnread || sampler.findsFile(text, 0..<text.count) }
            }
            return isFound
        }
        try forEachPiece(skipsHoles: true) { piece throws(FileError) in
            isFound = sampler.findsFile(piece, 0..<piece.count)
            return !isFound
        }
        return isFound
    }
}
