import Bytes

/// Encoded words in header fields (RFC 2047): `=?charset?B?...?=`.
package enum EncodedWords {
    /// Decodes the encoded words of a field in one pass; other text is unchanged.
    package static func decode(_ bytes: [UInt8]) -> String {
        let source = bytes.span
        guard source.firstIndex(of: UInt8(ascii: "="), in: 0..<source.count) != nil else {
            return Charset.guess(bytes)
        }
        var text = ""
        var plain = 0
        var index = 0
        // VIOLATIONS.md, M89: adjacent words in one set are joined first. M91: no space is needed
        // around a word.
        var run: EncodedRun?
        while index < min(source.count, longestText) {
            guard source.hasPrefix("=?", at: index),
                let word = EncodedWord(source, at: index, limit: longestWord)
            else {
                index += 1
                continue
            }
            let between = plain..<index
            let isGap = run != nil && source.trimmed(between).isEmpty
            if !isGap || run?.takes(word) == false {
                text += run?.text ?? ""
                run = nil
            }
            if !isGap { text += Charset.guess(Array(bytes[between])) }
            run = run ?? EncodedRun(charset: word.charset)
            run?.append(word, source)
            index = word.end
            plain = word.end
        }
        text += run?.text ?? ""
        text += Charset.guess(Array(bytes[plain...]))
        // A run of combining marks may continue in the next word.
        return text.streamSafe
    }

    /// The longest encoded word that is decoded, in bytes. VIOLATIONS.md, M83: more than 75.
    private static let longestWord = 4096
    /// Words beyond this offset, in bytes, are not decoded: each may name its own set, which is
    /// slow to look up, and no name is that long.
    private static let longestText = 32 << 10
}

/// Adjacent encoded words in the same set.
private struct EncodedRun {
    let charset: String
    private var bytes: [UInt8] = []
    /// The digits of all words, as long as all are base64.
    private var digits: [UInt8]? = []
    /// Whether a word ended within a group of four digits and another followed.
    private var isSplit = false
    private var endsInGroup = false

    /// Limits the cost of joining, which is quadratic in the length of a run.
    private static let longest = 4096

    init(charset: String) {
        self.charset = charset
    }

    func takes(_ word: EncodedWord) -> Bool {
        word.charset == charset && bytes.count <= EncodedRun.longest
    }

    mutating func append(_ word: EncodedWord, _ source: Span<UInt8>) {
        isSplit = isSplit || endsInGroup
        if word.isBase64 {
            let decoded = Base64.decode(source, word.encoded)
            bytes += decoded
            var own: [UInt8] = []
            for index in word.encoded where Base64.isDigit(source[index]) {
                own.append(source[index])
            }
            digits? += own
            endsInGroup = own.count % 4 != 0
        } else {
            bytes += EncodedWord.q(source, word.encoded)
            digits = nil
        }
    }

    /// VIOLATIONS.md, M90: a group is cut between words, or its padding is missing; if both
    /// readings are possible, the valid text is chosen.
    var text: String {
        guard isSplit, let digits, digits.count % 4 == 0 else {
            return Charset.decode(bytes, charset)
        }
        let joined = Base64.decode(digits.span, 0..<digits.count)
        let isUnicode = charset == "utf-8" || charset == "us-ascii"
        if isUnicode, String(validatingStreamSafe: joined) == nil {
            return Charset.decode(bytes, charset)
        }
        return Charset.decode(joined, charset)
    }
}
