/// A tolerated irregularity of a pass.
///
/// For example: `pass.oddities.contains(.missingIcon)`.
///
/// Libraries store oddities as JSON: the names of the cases and of their arguments are part of the
/// format.
public enum Oddity: Sendable, Hashable, Codable {
    /// The location of an oddity in pass.json. The payload of cases such as
    /// ``Oddity/missingBarcodeMessage(place:)``.
    public enum Place: Sendable, Hashable, Codable {
        /// `pass.json` itself, or an object in it, named by its keys: `barcodes[0]`.
        case object(String)
        /// The field with this key.
        case field(String)
    }

    // MARK: Encoding and syntax

    /// pass.json is UTF-16; RFC 8259, 8.1 requires UTF-8.
    case utf16
    /// pass.json begins with a byte order mark.
    case byteOrderMark
    /// pass.json violates JSON syntax. The line, counted from 1, is that of the first such
    /// violation.
    case json(JSONOddity, line: Int)

    // MARK: Missing keys and files

    /// pass.json lacks a key.
    case missingKey(String)
    /// A field lacks a key.
    case missingFieldKey(String, place: Place)
    /// A barcode lacks its message.
    case missingBarcodeMessage(place: Place)
    /// No style: none of the keys of ``PassStyle`` is present.
    case missingStyle
    /// No icon.
    case missingIcon

    // MARK: Values

    /// `formatVersion` is not 1.
    case formatVersion(Int)
    /// More than one style; the first one is used.
    case severalStyles([PassStyle])
    /// `serialNumber` is a number.
    case serialNumberNotString
    /// A value has another type than expected.
    case wrongType(key: String, place: Place, found: JSONKind, expected: JSONKind)
    /// A number is written as a string.
    case numberAsString(key: String, place: Place)
    /// A Boolean is written as 1 or 0.
    case booleanAsNumber(key: String, place: Place)
    /// A Boolean is written as a string.
    case booleanAsString(key: String, place: Place)
    /// A string that is not a colour.
    case invalidColor(key: String, place: Place, text: String)
    /// A colour that is not written as `rgb(r, g, b)`.
    case hexadecimalColor(key: String, place: Place)
    /// A string that is not a URL.
    case invalidURL(key: String, place: Place, text: String)
    /// A string that is not a date.
    case invalidDate(key: String, place: Place, text: String)
    /// A date that is not in the W3C format.
    case dateForm(key: String, place: Place, text: String)
    /// An unknown value for this key.
    case unknownValue(key: String, place: Place, text: String)
    /// More fields in a group than this limit; the others are ignored.
    case tooManyFields(group: String, limit: Int)
    /// More later events than can be kept; the rest is ignored.
    case tooManyEvents(limit: Int)
    /// Two fields have the same key.
    case duplicateFieldKey(String)
    /// More than ten locations.
    case tooManyLocations
    /// More than ten beacons.
    case tooManyBeacons
    /// Latitude or longitude is missing or out of range.
    case invalidLocation(place: Place)
    /// A beacon whose identifier is not a UUID.
    case invalidBeacon(place: Place, text: String)
    /// A barcode in an unsupported format.
    case unsupportedBarcode(place: Place, format: String)
    /// A barcode with an unknown encoding.
    case barcodeEncoding(place: Place, name: String)
    /// A barcode with characters that its encoding lacks; it is drawn in UTF-8.
    case barcodeNotInEncoding(place: Place, name: String)

    // MARK: Translations

    /// Too many languages: this file and later ones are ignored.
    case tooManyLanguages(file: String)
    /// A file larger than this limit, in bytes; it is ignored.
    case stringsTooLarge(file: String, limit: Int)
    /// Too many entries in a file; the others are ignored.
    case stringsTooManyEntries(file: String)
    /// A file violates the format.
    case strings(StringsOddity, file: String)
}

/// A tolerated violation of JSON (RFC 8259). The raw value is the code of the oddity.
///
/// The payload of ``Oddity/json(_:line:)``.
public enum JSONOddity: String, Sendable, Hashable, Codable, CaseIterable {
    /// A comment.
    case comment = "json-comment"
    /// A comma before a closing bracket.
    case trailingComma = "json-trailing-comma"
    /// An object contains this key twice; the last value is used.
    case duplicateKey = "json-duplicate-key"
    /// An unescaped control character.
    case controlCharacter = "json-control-character"
    /// Bytes that are not UTF-8.
    case invalidUTF8 = "json-invalid-utf8"
    /// Half of a surrogate pair.
    case loneSurrogate = "json-lone-surrogate"
    /// A number beyond 64 bits, stored as text.
    case numberTooLarge = "json-number-too-large"
    /// More than 30 consecutive combining marks; the run was broken up.
    case longCombiningRun = "long-combining-run"
}

/// A tolerated violation of the format of pass.strings. The payload of ``Oddity/strings(_:file:)``.
public enum StringsOddity: Sendable, Hashable, Codable {
    /// A property list, in XML or binary, that is cut off or has no dictionary.
    case damagedPropertyList
    /// Unexpected text between two entries.
    case strayText
    /// The `=` after this key is missing.
    case missingEqualsSign(key: String)
    /// The text for this key is missing.
    case missingText(key: String)
    /// A text has no closing quote.
    case unterminatedText
    /// The `;` after the entry of this key is missing.
    case missingSemicolon(key: String)
    /// This key has two entries.
    case duplicateKey(String)
    /// An unescaped quote in a text.
    case unescapedQuote
    /// Bytes that are not UTF-8.
    case invalidUTF8
    /// More than 30 consecutive combining marks; the run was broken up.
    case longCombiningRun
}

extension Oddity {
    /// The code in kebab case: `json-trailing-comma`. The meaning of a code never changes.
    public var code: String {
        switch self {
        case .utf16: "json-utf16"
        case .byteOrderMark: "json-bom"
        case .json(let oddity, _): oddity.rawValue
        case .missingKey, .missingFieldKey, .missingBarcodeMessage: "missing-key"
        case .missingStyle: "missing-style"
        case .missingIcon: "missing-icon"
        case .formatVersion: "format-version"
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
        case .tooManyEvents: "too-many-events"
        case .duplicateFieldKey: "duplicate-field-key"
        case .tooManyLocations: "too-many-locations"
        case .tooManyBeacons: "too-many-beacons"
        case .invalidLocation: "location-invalid"
        case .invalidBeacon: "beacon-invalid"
        case .unsupportedBarcode: "barcode-unsupported"
        case .barcodeEncoding: "barcode-encoding"
        case .barcodeNotInEncoding: "barcode-not-in-encoding"
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
        case .damagedPropertyList, .strayText, .missingEqualsSign, .missingText, .unterminatedText:
            "strings-syntax"
        case .missingSemicolon: "strings-missing-semicolon"
        case .duplicateKey: "strings-duplicate-key"
        case .unescapedQuote: "strings-unescaped-quote"
        case .invalidUTF8: "strings-invalid-utf8"
        case .longCombiningRun: "long-combining-run"
        }
    }
}
