/// Untrusted text in the Stream-Safe Text Format (UAX #15, section 13; VIOLATIONS.md, M106).
///
/// To compare, hash or split a `String`, Swift normalises it, which sorts each run of combining
/// marks in quadratic time: a 2 KB mail that unpacked to a megabyte of accents took 299 seconds.
/// The format limits a run to 30 marks by inserting U+034F, which is invisible. No language needs
/// longer runs.
///
/// Rules for all modules that read untrusted text:
/// - Decode bytes with `String(streamSafe:)` or `String(validatingStreamSafe:)`. After joining
///   pieces of text or resolving escapes, call `streamSafe` on the result. `grep -rnE
///   'String\((decoding|validating|cString):' Sources` finds the exceptions: each decodes ASCII or
///   trusted text, and `StreamSafeRuleTests` lists them.
/// - Refuse identifiers and paths with long runs (`hasLongRun`); never alter them, or two could
///   become one.
/// - Compare, split and look up names by their bytes (`utf8`). Do not iterate backwards over the
///   characters of a string, or forwards over those of a `Substring`: both are quadratic in a run
///   of regional indicators.
///
/// For example: `String(streamSafe: bytes)`.
package enum StreamSafeText {
    /// The longest run of combining marks that is left unchanged, in scalars.
    package static let longestRun = 30

    /// The Combining Grapheme Joiner. Normalisation does not treat it as a combining mark, so it
    /// ends a run.
    static let joiner: Unicode.Scalar = "\u{34F}"

    /// Whether the text contains a run longer than `longestRun`.
    package static func hasLongRun(_ utf8: Span<UInt8>) -> Bool {
        firstBreak(utf8) != nil
    }

    /// The offsets of the marks that need a joiner before them, ascending.
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

    /// The first offset that needs a joiner, and the start of the non-ASCII stretch that contains
    /// it.
    ///
    /// A run of 31 marks has at least 62 bytes, none of them ASCII, so looking at one byte in 62
    /// rules out most text.
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

    /// A run of marks while it is being read.
    private struct Run {
        private var count = 0

        /// Adds the next scalar; returns whether a joiner must be inserted before it.
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

    /// Whether normalisation may reorder the scalar (its Canonical_Combining_Class is not 0).
    private static func isMark(_ value: UInt32) -> Bool {
        switch value {
        case ..<0x300, 0x3400...0xA66E, 0xAC00...0xFB1D: return false
        default: break
        }
        guard let scalar = Unicode.Scalar(value) else { return false }
        return scalar.properties.canonicalCombiningClass != .notReordered
    }

    /// The scalar at an offset and its length in bytes; one byte if it is not valid UTF-8.
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
    /// Decodes untrusted bytes: invalid UTF-8 becomes U+FFFD, and long runs of combining marks are
    /// broken.
    package init(streamSafe bytes: some Collection<UInt8>) {
        self = String(decoding: bytes, as: UTF8.self).streamSafe
    }

    /// The same; nil if the bytes are not valid UTF-8.
    package init?(validatingStreamSafe bytes: some Collection<UInt8>) {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        self = text.streamSafe
    }

    /// The same for UTF-16.
    package init(streamSafe units: some Collection<UInt16>) {
        self = String(decoding: units, as: UTF16.self).streamSafe
    }

    /// The text with a joiner inserted after every 30 consecutive combining marks.
    package var streamSafe: String {
        // Fast path for most text: only a longer one can contain a run that is too long.
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

    /// Whether the text contains a broken run of combining marks, whether broken by this code or by
    /// the sender.
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
