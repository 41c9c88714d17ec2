import Bytes

/// RFC 2047: text in header fields as `=?charset?B?...?=`.
package enum EncodedWords {
    /// A field's text with its encoded words decoded. One pass; what is no word stays as it is.
    package static func decode(_ bytes: [UInt8]) -> String {
        let source = bytes.span
        guard source.firstIndex(of: UInt8(ascii: "="), in: 0..<source.count) != nil else {
            return Charset.guess(bytes)
        }
        var text = ""
        var plain = 0
        var index = 0
        // Neighbours in one set are joined first: mailers split characters between words.
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
        // A run may go on from one word to the next.
        return text.streamSafe
    }

    /// The longest encoded word that is read, in bytes. RFC 2047, 2 allows 75; senders of long names
    /// keep to no limit.
    private static let longestWord = 4096
    /// Words that begin further behind, in bytes, stay as they are: each may have a set of its own,
    /// which is slow to find, and no name is that long.
    private static let longestText = 32 << 10
}

/// Encoded words that follow one another, in one set.
private struct EncodedRun {
    let charset: String
    private var bytes: [UInt8] = []
    /// The digits of all words, while all are in base64.
    private var digits: [UInt8]? = []
    /// Whether a word ended within a group of four digits, and another followed.
    private var isSplit = false
    private var endsInGroup = false

    /// Joining is for neighbours; a run of any length must not cost its square.
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

    /// RFC 2047, 5 wants whole groups in each word. Mailers that cut base64 at a width do not end them;
    /// others leave the padding out. Where both can be meant, the text that is one is.
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
