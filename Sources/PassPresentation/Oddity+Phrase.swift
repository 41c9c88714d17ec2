public import PassModel

extension Oddity: Worded {
    /// Uses Apple's wording where there is one, since people search for it.
    public var phrase: Phrase {
        switch self {
        case .utf16: Phrase("pass.json is UTF-16 instead of UTF-8")
        case .byteOrderMark: Phrase("pass.json begins with a byte order mark")
        case .json(let oddity, let line):
            Phrase(
                "pass.json: {reason} at line {line}",
                ["reason": .phrase(oddity.phrase), "line": .number(line)])
        case .missingKey(let key):
            Phrase("Pass dictionary must contain key '{name}'", ["name": .text(key)])
        case .missingFieldKey(let key, let place):
            Phrase("{place}: Field dictionary must contain key '{name}'", values(place, key))
        case .missingBarcodeMessage(let place):
            Phrase("{place}: Barcode dictionary must contain key 'message'", values(place))
        case .missingStyle:
            Phrase(
                "Pass dictionary must contain one of the keys {name}",
                ["name": .text(PassStyle.allCases.map { "'\($0.rawValue)'" }.list)])
        case .missingIcon: Phrase("Pass does not contain icon.png, icon@2x.png or icon@3x.png")
        case .formatVersion(let version):
            Phrase("'formatVersion' is {count} instead of 1", ["count": .number(version)])
        case .severalStyles(let styles):
            Phrase(
                "the pass has more than one style: {name}",
                ["name": .text(styles.map(\.rawValue).list)])
        case .serialNumberNotString: Phrase("serialNumber is a number instead of text")
        case .wrongType(let key, let place, let found, let expected):
            Phrase(
                "{place}: '{name}' is {kind} instead of {expected}",
                values(
                    place, key, nil,
                    ["kind": .phrase(found.phrase), "expected": .phrase(expected.phrase)]))
        case .numberAsString(let key, let place):
            Phrase("{place}: '{name}' is a number written as text", values(place, key))
        case .booleanAsNumber(let key, let place):
            Phrase("{place}: '{name}' is a number instead of true or false", values(place, key))
        case .booleanAsString(let key, let place):
            Phrase("{place}: '{name}' is text instead of true or false", values(place, key))
        case .invalidColor(let key, let place, let text):
            Phrase("{place}: '{name}' is not a colour: {text}", values(place, key, text))
        case .hexadecimalColor(let key, let place):
            Phrase("{place}: '{name}' is not of the form rgb(r, g, b)", values(place, key))
        case .invalidURL(let key, let place, let text):
            Phrase("{place}: '{name}' is not a URL: {text}", values(place, key, text))
        case .invalidDate(let key, let place, let text):
            Phrase("{place}: '{name}' is not a date: {text}", values(place, key, text))
        case .dateForm(let key, let place, let text):
            Phrase("{place}: '{name}' is not a W3C date: {text}", values(place, key, text))
        case .unknownValue(let key, let place, let text):
            Phrase("{place}: '{name}' has an unknown value: {text}", values(place, key, text))
        case .tooManyFields(let group, let limit):
            Phrase(
                "{place}: more than {count} fields, the rest is ignored",
                ["place": .text(group), "count": .number(limit)])
        case .tooManyEvents(let limit):
            Phrase(
                "the pass has more than {count} later events, the rest is ignored",
                ["count": .number(limit)])
        case .duplicateFieldKey(let key):
            Phrase("more than one field has the key '{name}'", ["name": .text(key)])
        case .tooManyLocations: Phrase("the pass has more than 10 locations")
        case .tooManyBeacons: Phrase("the pass has more than 10 beacons")
        case .invalidLocation(let place):
            Phrase("{place}: latitude or longitude is out of range", values(place))
        case .invalidBeacon(let place, let text):
            Phrase("{place}: not a UUID: '{text}'", values(place, nil, text))
        case .unsupportedBarcode(let place, let format):
            Phrase("{place}: the barcode format '{name}' is not supported", values(place, format))
        case .barcodeEncoding(let place, let name):
            Phrase("{place}: there is no encoding '{name}'", values(place, name))
        case .barcodeNotInEncoding(let place, let name):
            Phrase(
                "{place}: the message has characters that '{name}' lacks, it is drawn in UTF-8",
                values(place, name))
        case .tooManyLanguages(let file):
            Phrase(
                "too many languages: {place} and later ones are ignored",
                ["place": .text(file)])
        case .stringsTooLarge(let file, let limit):
            Phrase(
                "{place} is larger than {count} bytes and ignored",
                ["place": .text(file), "count": .number(limit)])
        case .stringsTooManyEntries(let file):
            Phrase(
                "{place} has too many entries, the rest is ignored", ["place": .text(file)])
        case .strings(let oddity, let file): oddity.phrase(in: file)
        }
    }
}

extension Oddity.Place: Worded {
    /// The name of the location, for use in a sentence.
    public var phrase: Phrase {
        switch self {
        case .object(let path): .verbatim(path)
        case .field(let key): Phrase("field '{name}'", ["name": .text(key)])
        }
    }
}

extension JSONOddity: Worded {
    /// The violation as a phrase.
    public var phrase: Phrase {
        switch self {
        case .comment: Phrase("a comment")
        case .trailingComma: Phrase("a comma before a closing bracket")
        case .duplicateKey: Phrase("a key is repeated, the last one counts")
        case .controlCharacter: Phrase("a control character is not escaped")
        case .invalidUTF8: Phrase("bytes that are not UTF-8")
        case .loneSurrogate: Phrase("half of a surrogate pair")
        case .numberTooLarge: Phrase("a number is out of range and kept as text")
        case .longCombiningRun: Phrase("a long run of combining marks is broken")
        }
    }
}

extension StringsOddity {
    fileprivate func phrase(in file: String) -> Phrase {
        func values(_ key: String? = nil) -> [String: Phrase.Value] {
            var values: [String: Phrase.Value] = ["place": .text(file)]
            values["name"] = key.map { .text($0) }
            return values
        }
        return switch self {
        case .damagedPropertyList:
            Phrase("{place}: the property list is damaged", values())
        case .strayText: Phrase("{place}: there is text between the entries", values())
        case .missingEqualsSign(let key): Phrase("{place}: no = after '{name}'", values(key))
        case .missingText(let key): Phrase("{place}: no text for '{name}'", values(key))
        case .unterminatedText: Phrase("{place}: a string is not closed", values())
        case .missingSemicolon(let key): Phrase("{place}: no ; after '{name}'", values(key))
        case .duplicateKey(let key): Phrase("{place}: '{name}' is repeated", values(key))
        case .unescapedQuote:
            Phrase("{place}: a quote in a text is not escaped", values())
        case .invalidUTF8: Phrase("{place}: bytes that are not UTF-8", values())
        case .longCombiningRun:
            Phrase("{place}: a long run of combining marks is broken", values())
        }
    }
}

/// The values for the placeholders in a sentence about a value.
private func values(
    _ place: Oddity.Place, _ key: String? = nil, _ text: String? = nil,
    _ others: [String: Phrase.Value] = [:]
) -> [String: Phrase.Value] {
    var values = others
    values["place"] = .phrase(place.phrase)
    values["name"] = key.map { .text($0) }
    values["text"] = text.map { .text($0) }
    return values
}

extension [String] {
    fileprivate var list: String { joined(separator: ", ") }
}
