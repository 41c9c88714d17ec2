/// One piece of information on a pass.
public struct Field: Sendable, Hashable {
    /// Unique within the pass; empty when the pass gives none.
    public let key: String
    /// What stands above the value.
    public internal(set) var label: String?
    /// What the field says.
    public internal(set) var value: FieldValue
    /// Overrides the value on the back; may hold links in HTML: ``attributedText`` reads them.
    public internal(set) var attributedValue: String?
    /// What to say when the value changes, with `%@` for the new one.
    public internal(set) var changeMessage: String?
    /// What is made a link on the back; nil means everything.
    public let dataDetectorTypes: [DataDetectorType]?
    /// Where the text stands; nil means where its language begins.
    public let textAlignment: TextAlignment?
    /// How much of the day is shown; this or the next makes the value a date.
    public let dateStyle: DateStyle?
    /// How much of the time of day is shown.
    public let timeStyle: DateStyle?
    /// Whether a date is shown in the zone in which it was written, not in that of the reader.
    public let ignoresTimeZone: Bool
    /// Whether a date is shown relative to now.
    public let isRelative: Bool
    /// ISO 4217 code that makes the number an amount of money.
    public let currencyCode: String?
    /// How a number is shown.
    public let numberStyle: NumberStyle?
    /// Row of an auxiliary field on an event ticket: 0 or 1.
    public let row: Int?
    /// What the field means to a machine.
    public let semantics: [String: JSONValue]
    /// Keys that Apple does not document.
    public let unknownKeys: [String: JSONValue]

    /// The attributed value as plain text, with its links.
    public var attributedText: AttributedText? { attributedValue.map(AttributedText.init) }
}

/// The value of a field: text, unless JSON or the field's style makes it more.
public enum FieldValue: Sendable, Hashable {
    /// Text, and what could not be read as anything more.
    case text(String)
    /// A number without a fraction.
    case integer(Int)
    /// A number with a fraction.
    case number(Double)
    /// A date, and the text that the pass has for it.
    case date(PassDate, written: String)
}

extension FieldValue: CustomStringConvertible {
    /// The value as the pass writes it.
    public var description: String {
        switch self {
        case .text(let text): text
        case .integer(let integer): String(integer)
        case .number(let number): String(number)
        case .date(_, let written): written
        }
    }
}

/// How much of a date, or of a time, is shown.
public enum DateStyle: String, Sendable, CaseIterable, Codable {
    /// Nothing.
    case none = "PKDateStyleNone"
    /// In digits: 11/23/37, 3:30 PM.
    case short = "PKDateStyleShort"
    /// Abbreviated: Nov 23, 2037; a time with its seconds.
    case medium = "PKDateStyleMedium"
    /// In words: November 23, 2037; a time also with the abbreviation of its zone.
    case long = "PKDateStyleLong"
    /// With everything: the day of the week, and the name of the zone.
    case full = "PKDateStyleFull"
}

/// How a number is shown.
public enum NumberStyle: String, Sendable, CaseIterable, Codable {
    /// With the separators of the reader's language.
    case decimal = "PKNumberStyleDecimal"
    /// As per cent: 0.5 is 50 %.
    case percent = "PKNumberStylePercent"
    /// With an exponent to the base 10.
    case scientific = "PKNumberStyleScientific"
    /// In words.
    case spellOut = "PKNumberStyleSpellOut"
}

/// Where the text of a field stands.
public enum TextAlignment: String, Sendable, CaseIterable, Codable {
    /// At the left.
    case left = "PKTextAlignmentLeft"
    /// In the middle.
    case center = "PKTextAlignmentCenter"
    /// At the right.
    case right = "PKTextAlignmentRight"
    /// Where the language of the text begins.
    case natural = "PKTextAlignmentNatural"
}

/// What is recognised in the text of a field.
public enum DataDetectorType: String, Sendable, CaseIterable, Codable {
    /// Telephone numbers.
    case phoneNumber = "PKDataDetectorTypePhoneNumber"
    /// Addresses on the web.
    case link = "PKDataDetectorTypeLink"
    /// Postal addresses.
    case address = "PKDataDetectorTypeAddress"
    /// Dates and times for a calendar.
    case calendarEvent = "PKDataDetectorTypeCalendarEvent"
}
