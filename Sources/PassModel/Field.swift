/// A field of a pass.
///
/// ```swift
/// for field in pass.fields.primary { print(field.label ?? "", field.value) }
/// ```
public struct Field: Sendable, Hashable {
    /// Identifies the field within the pass; empty if absent.
    public let key: String
    /// The label.
    public internal(set) var label: String?
    /// The value. In PassKit: `PKPass.localizedValue(forFieldKey:)`.
    public internal(set) var value: FieldValue
    /// Replaces the value on the back; may contain HTML links, which ``attributedText`` parses.
    public internal(set) var attributedValue: String?
    /// The notification text for a changed value, with `%@` for the new value.
    public internal(set) var changeMessage: String?
    /// The data types to turn into links on the back; nil means all.
    public let dataDetectorTypes: [DataDetectorType]?
    /// The alignment of the text; nil means natural.
    public let textAlignment: TextAlignment?
    /// The format of the day; this or ``timeStyle`` makes the value a date.
    public let dateStyle: DateStyle?
    /// The format of the time of day.
    public let timeStyle: DateStyle?
    /// Whether a date is shown in its own time zone instead of the user's.
    public let ignoresTimeZone: Bool
    /// Whether a date is shown relative to the current time.
    public let isRelative: Bool
    /// An ISO 4217 code, which makes the number an amount of money.
    public let currencyCode: String?
    /// The number format.
    public let numberStyle: NumberStyle?
    /// The row of an auxiliary field on an event ticket: 0 or 1.
    public let row: Int?
    /// Apple's semantic tags for this field, by key.
    public let semantics: [ExactText: JSONValue]
    /// Keys not documented by Apple.
    public let unknownKeys: [ExactText: JSONValue]

    /// The attributed value as plain text, with its links.
    public var attributedText: AttributedText? { attributedValue.map(AttributedText.init) }
}

/// The value of a field: text, unless the JSON type or the field's styles specify otherwise.
///
/// For example: `if case .date(let boarding, _) = field.value { print(boarding.date) }`
public enum FieldValue: Sendable, Hashable {
    /// Text, including values that could not be parsed as another type.
    case text(String)
    /// An integer.
    case integer(Int)
    /// A number with a fraction.
    case number(Double)
    /// A date, and its original text.
    case date(PassDate, written: String)
}

extension FieldValue: CustomStringConvertible {
    /// The value as in the pass.
    public var description: String {
        switch self {
        case .text(let text): text
        case .integer(let integer): String(integer)
        case .number(let number): String(number)
        case .date(_, let written): written
        }
    }
}

/// The format of a date or time. The raw value is that of the keys `dateStyle` and `timeStyle`.
///
/// For example: `let isShownInFull = field.dateStyle == .full`
public enum DateStyle: String, Sendable, CaseIterable, Codable {
    /// Not shown.
    case none = "PKDateStyleNone"
    /// Numeric: 11/23/37, 3:30 PM.
    case short = "PKDateStyleShort"
    /// Abbreviated: Nov 23, 2037; times include seconds.
    case medium = "PKDateStyleMedium"
    /// Long: November 23, 2037; times include an abbreviated time zone.
    case long = "PKDateStyleLong"
    /// Full: includes the day of the week, and the full time zone.
    case full = "PKDateStyleFull"
}

/// The format of a number. The raw value is that of the key `numberStyle`.
///
/// ```swift
/// if field.numberStyle == .percent, case .number(let share) = field.value { print(share * 100) }
/// ```
public enum NumberStyle: String, Sendable, CaseIterable, Codable {
    /// With the separators of the user's locale.
    case decimal = "PKNumberStyleDecimal"
    /// As a percentage: 0.5 is 50 %.
    case percent = "PKNumberStylePercent"
    /// In scientific notation.
    case scientific = "PKNumberStyleScientific"
    /// Spelled out.
    case spellOut = "PKNumberStyleSpellOut"
}

/// The alignment of a field's text. The raw value is that of the key `textAlignment`.
///
/// For example: `let isCentred = field.textAlignment == .center`
public enum TextAlignment: String, Sendable, CaseIterable, Codable {
    /// Left.
    case left = "PKTextAlignmentLeft"
    /// Centred.
    case center = "PKTextAlignmentCenter"
    /// Right.
    case right = "PKTextAlignmentRight"
    /// By the writing direction of the text.
    case natural = "PKTextAlignmentNatural"
}

/// Data types detected in the text of a field. The raw value is that of the key
/// `dataDetectorTypes`.
///
/// For example: `let showsMap = field.dataDetectorTypes?.contains(.address) ?? true`
public enum DataDetectorType: String, Sendable, CaseIterable, Codable {
    /// Telephone numbers.
    case phoneNumber = "PKDataDetectorTypePhoneNumber"
    /// Web links.
    case link = "PKDataDetectorTypeLink"
    /// Postal addresses.
    case address = "PKDataDetectorTypeAddress"
    /// Dates and times of events.
    case calendarEvent = "PKDataDetectorTypeCalendarEvent"
}
