import Bytes

/// Decodes HTML character references (`&amp;`, `&#x2F;`) in a text that arrives in pieces.
struct CharacterReferences {
    /// An incomplete reference, from its `&` on.
    private var begun: [UInt8] = []

    /// The longest reference that is decoded, in bytes.
    private static let longest = 12

    /// Decodes a piece and appends it to `output` as UTF-8. An incomplete reference at its end is
    /// held until the next piece.
    mutating func replace(
        _ source: Span<UInt8>, _ range: Range<Int>, into output: inout [UInt8]
    ) {
        var index = range.lowerBound
        while index < range.upperBound {
            if begun.isEmpty {
                let rest = index..<range.upperBound
                let mark = source.firstIndex(of: UInt8(ascii: "&"), in: rest) ?? rest.upperBound
                output.append(source, index..<mark)
                index = mark
                guard index < range.upperBound else { return }
                begun.append(UInt8(ascii: "&"))
                index += 1
                continue
            }
            let byte = source[index]
            if byte == UInt8(ascii: ";") {
                end(at: byte, into: &output)
                index += 1
            } else if continues(byte), begun.count < CharacterReferences.longest {
                begun.append(byte)
                index += 1
            } else {
                end(at: byte, into: &output)
            }
        }
    }

    /// Ends the text.
    mutating func finish(into output: inout [UInt8]) {
        if !begun.isEmpty { end(at: 0, into: &output) }
    }

    /// A whole text, decoded.
    static func replaced(in text: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        var references = CharacterReferences()
        references.replace(text.span, 0..<text.count, into: &output)
        references.finish(into: &output)
        return output
    }

    private func continues(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "#") && begun.count == 1
    }

    /// Ends the reference; `byte` is the byte after it.
    private mutating func end(at byte: UInt8, into output: inout [UInt8]) {
        let isClosed = byte == UInt8(ascii: ";")
        if let scalar = CharacterReferences.scalar(begun.dropFirst(), isClosed, before: byte) {
            output.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        } else {
            output += begun
            if isClosed { output.append(byte) }
        }
        begun.removeAll(keepingCapacity: true)
    }

    private static func scalar(
        _ name: ArraySlice<UInt8>, _ isClosed: Bool, before byte: UInt8
    ) -> Unicode.Scalar? {
        if name.first == UInt8(ascii: "#") { return numbered(name.dropFirst()) }
        guard let scalar = named[String(streamSafe: name)] else { return nil }
        // The semicolon is optional after the oldest names, but not in `?a=1&lt=2` (HTML,
        // 13.2.5.73).
        let isOld = scalar.value <= 0xFF && !unicodeNames.contains(name)
        return isClosed || isOld && byte != UInt8(ascii: "=") ? scalar : nil
    }

    private static func numbered(_ digits: ArraySlice<UInt8>) -> Unicode.Scalar? {
        let isHexadecimal = digits.first?.asciiLowercased == UInt8(ascii: "x")
        let digits = isHexadecimal ? digits.dropFirst() : digits
        guard !digits.isEmpty else { return nil }
        var value: UInt32 = 0
        for digit in digits {
            guard let number = digit.hexadecimalValue, isHexadecimal || number < 10 else {
                return nil
            }
            value = min(value * (isHexadecimal ? 16 : 10) + UInt32(number), 0x11_0000)
        }
        return Unicode.Scalar(value).flatMap { $0.value == 0 ? nil : $0 } ?? "\u{FFFD}"
    }

    /// Names of ASCII characters that HTML added together with those of Unicode; they require a
    /// semicolon.
    private static let unicodeNames: Set<ArraySlice<UInt8>> = Set(
        unicodeASCII.map { ArraySlice($0.name.utf8) })

    private static let unicodeASCII: [(name: String, scalar: Unicode.Scalar)] = [
        ("apos", "'"), ("colon", ":"), ("sol", "/"), ("period", "."), ("quest", "?"),
        ("equals", "="), ("num", "#"), ("percnt", "%"), ("lowbar", "_"), ("commat", "@"),
        ("plus", "+"), ("semi", ";"), ("comma", ","), ("excl", "!"), ("dollar", "$"),
        ("lpar", "("), ("rpar", ")"), ("ast", "*"), ("Tab", "\t"), ("NewLine", "\n"),
    ]

    /// The names that mail programs write (HTML 4.01, 24), and those of characters in URLs (HTML
    /// 13.5).
    private static let named: [String: Unicode.Scalar] = {
        var names: [String: Unicode.Scalar] = [
            "amp": "&", "AMP": "&", "lt": "<", "LT": "<", "gt": ">", "GT": ">", "quot": "\"",
            "QUOT": "\"", "ndash": "\u{2013}", "mdash": "\u{2014}", "lsquo": "\u{2018}",
            "rsquo": "\u{2019}", "sbquo": "\u{201A}", "ldquo": "\u{201C}", "rdquo": "\u{201D}",
            "bdquo": "\u{201E}", "hellip": "\u{2026}", "bull": "\u{2022}", "lsaquo": "\u{2039}",
            "rsaquo": "\u{203A}", "ensp": "\u{2002}", "emsp": "\u{2003}", "thinsp": "\u{2009}",
            "zwnj": "\u{200C}", "zwj": "\u{200D}", "rarr": "\u{2192}", "trade": "\u{2122}",
        ]
        for (name, scalar) in unicodeASCII { names[name] = scalar }
        // ISO 8859-1 from U+00A0 on.
        let latin1 = """
            nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg \
            plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 \
            iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml \
            Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash \
            Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring \
            aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve \
            oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml
            """
        for (offset, name) in latin1.split(separator: " ").enumerated() {
            names[String(name)] = Unicode.Scalar(UInt8(truncatingIfNeeded: 0xA0 + offset))
        }
        return names
    }()
}

extension [UInt8] {
    /// Appends the bytes of a range.
    mutating func append(_ source: Span<UInt8>, _ range: Range<Int>) {
        unsafe source.withUnsafeBufferPointer { buffer in
            unsafe append(contentsOf: UnsafeBufferPointer(rebasing: buffer[range]))
        }
    }
}
