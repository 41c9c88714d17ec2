/// Text from strangers, in the Stream-Safe Text Format (UAX #15, section 13).
///
/// To compare, hash or split a `String`, Swift normalises it, and that sorts each run of combining marks in
/// time that grows with the square of its length: a mail of 2 KB, unpacked to a megabyte of accents, cost 299
/// seconds. The format bounds a run: behind every 30th mark stands U+034F, which nobody sees. No language
/// needs as many.
///
/// The rule for all modules that read what strangers wrote:
/// - Bytes become text through `String(streamSafe:)` or `String(validatingStreamSafe:)`. Text that was put
///   together from several pieces, or whose escapes were resolved, becomes `streamSafe` again when it is whole.
///   `grep -rnE 'String\((decoding|validating|cString):' Sources` finds what does not: each such place holds
///   ASCII, or text that no stranger wrote. `StreamSafeRuleTests` lists them.
/// - Identifiers and paths are refused (`hasLongRun`) and never altered: two of them could become one.
/// - Names are compared, split and looked up by their bytes (`utf8`). Nothing walks backwards over the
///   characters of a text, or forwards over those of a `Substring`: that is quadratic in a run of regional
///   indicators.
///
/// For example: `String(streamSafe: bytes)`.
package enum StreamSafeText {
    /// The longest run of combining marks that stays as it is, in scalars.
    package static let longestRun = 30

    /// The Combining Grapheme Joiner, which is no combining mark to normalisation: a run ends before it.
    static let joiner: Unicode.Scalar = "\u{34F}"

    /// Whether UTF-8 holds a longer run.
    package static func hasLongRun(_ utf8: Span<UInt8>) -> Bool {
        firstBreak(utf8) != nil
    }

    /// Where joiners belong: the offsets of the marks that they stand before, ascending.
    static func breaks(in utf8: Span<UInt8>) -> [Int] {
        guard let first = firstBreak(utf8) else { return [] }
        var breaks: [Int] = []
        var run = Run()
        var index = first.start
        while index < utf8.count {
            let scalar = scalar(in: utf8, at: index)
            if run.take(scalar.value) { breaks.append(index) }
            index += scalar.length
        }
        return breaks
    }

    /// The first place where a joiner belongs, and where the stretch that holds it begins.
    ///
    /// A run of 31 marks has 62 bytes or more and none of ASCII, so one byte in 62 tells of most text that
    /// there is no such run.
    private static func firstBreak(_ utf8: Span<UInt8>) -> (start: Int, place: Int)? {
        let shortest = (longestRun + 1) * 2
        var position = 0
        while position + shortest <= utf8.count {
            var start = position + shortest
            while start > position, utf8[start - 1] >= 0x80 { start -= 1 }
            guard start == position else {
                position = start
                continue
            }
            var run = Run()
            while position < utf8.count, utf8[position] >= 0x80 {
                let scalar = scalar(in: utf8, at: position)
                if run.take(scalar.value) { return (start, position) }
                position += scalar.length
            }
        }
        return nil
    }

    /// A run of marks, as far as it was read.
    private struct Run {
        private var count = 0

        /// Takes the next scalar; returns whether a joiner belongs before it.
        mutating func take(_ scalar: UInt32) -> Bool {
            guard StreamSafeText.isMark(scalar) else {
                count = 0
                return false
            }
            count += 1
            guard count > longestRun else { return false }
            count = 1
            return true
        }
    }

    /// Whether normalisation may move a scalar before another (its Canonical_Combining_Class is not 0).
    private static func isMark(_ value: UInt32) -> Bool {
        switch value {
        case ..<0x300, 0x3400...0xA66E, 0xAC00...0xFB1D: return false
        default: break
        }
        guard let scalar = Unicode.Scalar(value) else { return false }
        return scalar.properties.canonicalCombiningClass != .notReordered
    }

    /// The scalar at a place and its length in bytes; of bytes that are no UTF-8, one byte.
    private static func scalar(
        in utf8: Span<UInt8>, at index: Int
    ) -> (value: UInt32, length: Int) {
        let first = utf8[index]
        let length =
            switch first {
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xF4: 4
            default: 1
            }
        guard length > 1, index + length <= utf8.count else { return (UInt32(first & 0x7F), 1) }
        var value = UInt32(first) & (0x7F >> UInt32(length))
        for place in index + 1..<index + length {
            guard utf8[place] & 0xC0 == 0x80 else { return (0, 1) }
            value = value << 6 | UInt32(utf8[place] & 0x3F)
        }
        return (value, length)
    }
}

extension String {
    /// Bytes from strangers as text: what is not UTF-8 becomes U+FFFD, and long runs of combining marks are
    /// broken.
    package init(streamSafe bytes: some Collection<UInt8>) {
        self = String(decoding: bytes, as: UTF8.self).streamSafe
    }

    /// The same for bytes that have to be UTF-8; nil where they are not.
    package init?(validatingStreamSafe bytes: some Collection<UInt8>) {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        self = text.streamSafe
    }

    /// The same for UTF-16.
    package init(streamSafe units: some Collection<UInt16>) {
        self = String(decoding: units, as: UTF16.self).streamSafe
    }

    /// The text with a joiner behind every 30th of the combining marks that follow one another.
    package var streamSafe: String {
        // As with most text: a run that is too long has more bytes.
        guard utf8.count > StreamSafeText.longestRun * 2 else { return self }
        let breaks = StreamSafeText.breaks(in: utf8.span)
        guard !breaks.isEmpty else { return self }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(utf8.count + breaks.count * 2)
        var rest = utf8[...]
        var taken = 0
        for place in breaks {
            bytes += rest.prefix(place - taken)
            rest = rest.dropFirst(place - taken)
            taken = place
            bytes += String(StreamSafeText.joiner).utf8
        }
        bytes += rest
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether a run of combining marks was broken in it, here or by who sent it.
    package var hasBrokenRun: Bool {
        var marks = 0
        var isAfterJoiner = false
        for scalar in unicodeScalars where scalar.value >= 0x300 || marks > 0 {
            if scalar == StreamSafeText.joiner, marks == StreamSafeText.longestRun {
                isAfterJoiner = true
            } else if scalar.properties.canonicalCombiningClass != .notReordered {
                if isAfterJoiner { return true }
                marks += 1
            } else {
                marks = 0
                isAfterJoiner = false
            }
        }
        return false
    }
}
