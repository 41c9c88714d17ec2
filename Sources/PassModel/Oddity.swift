/// A tolerated irregularity of a pass.
///
/// For example: `pass.oddities.contains(.missingIcon)`.
///
/// Libraries store oddities as JSON: the names of the cases and of their arguments are part of the format.
public enum Oddity: Sendable, Hashable, Codable {
    /// Where in pass.json something is odd.
    public enum Place: Sendable, Hashable, Codable {
        /// `pass.json` itself, or an object in it by its keys: `barcodes[0]`.
        case object(String)
        /// The field with this key.
        case field(String)
    }

    // MARK: Text that is not quite JSON

    /// pass.json is UTF-16; RFC 8259, 8.1 requires UTF-8.
    case utf16
    /// pass.json begins with a byte order mark.
    case byteOrderMark
    /// pass.json breaks a rule of JSON, for the first time in this line; lines count from 1.
    case json(JSONOddity, line: Int)

    // MARK: Keys that Wallet requires

    /// pass.json lacks a key.
    case missingKey(String)
    /// A field lacks a key.
    case missingFieldKey(String, place: Place)
    /// A barcode lacks its message.
    case missingBarcodeMessage(place: Place)
    /// There is no style: none of the keys of ``PassStyle``.
    case missingStyle
    /// There is no icon.
    case missingIcon

    // MARK: Values

    /// There is more than one style; the first one counts.
    case severalStyles([PassStyle])
    /// `serialNumber` is a number.
    case serialNumberNotString
    /// A value is of another type than the one that belongs there.
    case wrongType(key: String, place: Place, found: JSONKind, expected: JSONKind)
    /// A number is written as text.
    case numberAsString(key: String, place: Place)
    /// True or false is written as 1 or 0.
    case booleanAsNumber(key: String, place: Place)
    /// True or false is written as text.
    case booleanAsString(key: String, place: Place)
    /// Text that is not a colour.
    case invalidColor(key: String, place: Place, text: String)
    /// A colour that is not written as `rgb(r, g, b)`.
    case hexadecimalColor(key: String, place: Place)
    /// Text that is not a URL.
    case invalidURL(key: String, place: Place, text: String)
    /// Text that is not a date.
    case invalidDate(key: String, place: Place, text: String)
    /// A date that is not written as W3C wants it.
    case dateForm(key: String, place: Place, text: String)
    /// A value that the key does not have.
    case unknownValue(key: String, place: Place, text: String)
    /// A group has more fields than this limit; the rest is ignored.
    case tooManyFields(group: String, limit: Int)
    /// Two fields have the same key.
    case duplicateFieldKey(String)
    /// More than ten locations.
    case tooManyLocations
    /// More than ten beacons.
    case tooManyBeacons
    /// No latitude and longitude on Earth.
    case invalidLocation(place: Place)
    /// A beacon whose identifier is not a UUID.
    case invalidBeacon(place: Place, text: String)
    /// A barcode of an unsupported format.
    case unsupportedBarcode(place: Place, format: String)
    /// A barcode with an unknown encoding.
    case barcodeEncoding(place: Place, name: String)

    // MARK: Texts in other languages

    /// There are too many languages: this file and later ones are ignored.
    case tooManyLanguages(file: String)
    /// A file is larger than this limit in bytes, and is ignored.
    case stringsTooLarge(file: String, limit: Int)
    /// A file has too many entries; the rest is ignored.
    case stringsTooManyEntries(file: String)
    /// A file breaks a rule of its format.
    case strings(StringsOddity, file: String)
}

/// A tolerated violation of JSON (RFC 8259). The raw value is the code of the oddity.
public enum JSONOddity: String, Sendable, Hashable, Codable, CaseIterable {
    /// A comment.
    case comment = "json-comment"
    /// A comma before a closing bracket.
    case trailingComma = "json-trailing-comma"
    /// A key that its object has already; the last one counts.
    case duplicateKey = "json-duplicate-key"
    /// A control character that is not escaped.
    case controlCharacter = "json-control-character"
    /// Bytes that are not UTF-8.
    case invalidUTF8 = "json-invalid-utf8"
    /// Half of a surrogate pair.
    case loneSurrogate = "json-lone-surrogate"
    /// A number beyond 64 bits, kept as text.
    case numberTooLarge = "json-number-too-large"
    /// More than 30 combining marks in a row, which were broken up.
    case longCombiningRun = "long-combining-run"
}

/// A tolerated violation of the format of pass.strings.
public enum StringsOddity: Sendable, Hashable, Codable {
    /// Something stands between two entries.
    case strayText
    /// There is no `=` after this key.
    case missingEqualsSign(key: String)
    /// There is no text for this key.
    case missingText(key: String)
    /// A text has no end.
    case unterminatedText
    /// There is no `;` after the entry of this key.
    case missingSemicolon(key: String)
    /// This key has two entries.
    case duplicateKey(String)
    /// A quote in a text is not escaped.
    case unescapedQuote
    /// Bytes that are not UTF-8.
    case invalidUTF8
    /// More than 30 combining marks in a row, which were broken up.
    case longCombiningRun
}

extension Oddity {
    /// In kebab case: `json-trailing-comma`. It never changes its meaning.
    public var code: String {
        switch self {
        case .utf16: "json-utf16"
        case .byteOrderMark: "json-bom"
        case .json(let oddity, _): oddity.rawValue
        case .missingKey, .missingFieldKey, .missingBarcodeMessage: "missing-key"
        case .missingStyle: "missing-style"
        case .missingIcon: "missing-icon"
        case .severalStyles: "more-than-one-style"
        case .serialNumberNotString: "serial-number-not-string"
        case .wrongType: "wrong-type"
        case .numberAsString: "number-as-string"
        case .booleanAsNumber: "boolean-as-number"
        case .booleanAsString: "boolean-as-string"
        case .invalidColor: "color-invalid"
        case .hexadecimalColor: "color-hex"
        case .invalidURL: "url-invalid"
        case .invalidDate: "date-invalid"
        case .dateForm: "date-form"
        case .unknownValue: "unknown-value"
        case .tooManyFields: "too-many-fields"
        case .duplicateFieldKey: "duplicate-field-key"
        case .tooManyLocations: "too-many-locations"
        case .tooManyBeacons: "too-many-beacons"
        case .invalidLocation: "location-invalid"
        case .invalidBeacon: "beacon-invalid"
        case .unsupportedBarcode: "barcode-unsupported"
        case .barcodeEncoding: "barcode-encoding"
        case .tooManyLanguages: "too-many-languages"
        case .stringsTooLarge: "strings-too-large"
        case .stringsTooManyEntries: "strings-too-many-entries"
        case .strings(let oddity, _): oddity.code
        }
    }
}

extension StringsOddity {
    fileprivate var code: String {
        switch self {
        case .strayText, .missingEqualsSign, .missingText, .unterminatedText: "strings-syntax"
        case .missingSemicolon: "strings-missing-semicolon"
        case .duplicateKey: "strings-duplicate-key"
        case .unescapedQuote: "strings-unescaped-quote"
        case .invalidUTF8: "strings-invalid-utf8"
        case .longCombiningRun: "long-combining-run"
        }
    }
}
