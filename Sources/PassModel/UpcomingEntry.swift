public import Foundation

/// A later event of a pass for several events (iOS 26), such as the next match of a season ticket,
/// from the key `upcomingPassInformation`.
///
/// For example: `for entry in pass.upcomingEntries { print(entry.name, entry.links.count) }`
public struct UpcomingEntry: Sendable, Hashable {
    /// Unique within the pass; empty if absent.
    public let identifier: String
    /// The name of the event; empty if absent.
    public internal(set) var name: String
    /// When the event is, from the key `date` of `dateInformation`; nil if absent, or if the issuer
    /// declares it unannounced or undetermined.
    public let date: PassDate?
    /// Whether only the day is known or meant, and not the time: `ignoreTimeComponents` or
    /// `isAllDay`, or a date without time.
    public let ignoresTime: Bool
    /// The IANA name of the time zone of the event, from `dateInformation`.
    public let timeZone: String?
    /// Links for the event, from the key `URLs` or `urls`.
    public let links: [PassLink: URL]
    /// E-mail addresses and telephone numbers for the event, from the key `URLs` or `urls`.
    public let contacts: [PassContact: String]
    /// Its fields for the back and below the pass, from `backFields` and `additionalInfoFields`.
    public internal(set) var fields: PassFields
}

extension UpcomingEntry {
    init(_ reader: ObjectReader, fieldsInGroup: Int, _ oddities: inout Oddities) {
        var reader = reader
        identifier = reader.string("identifier", &oddities) ?? ""
        name = reader.string("name", &oddities) ?? ""
        var when = reader.part("dateInformation", &oddities)
        // The issuer declares a date unknown that it still has to write.
        let isUnknown = ["isUnannounced", "isUndetermined"]
            .map { when.boolean($0, &oddities) ?? false }.contains(true)
        let date = when.date("date", &oddities)
        self.date = isUnknown ? nil : date
        let isDay = ["ignoreTimeComponents", "isAllDay"]
            .map { when.boolean($0, &oddities) ?? false }.contains(true)
        ignoresTime = isDay || date?.hasTime == false
        timeZone = when.string("timeZone", &oddities)
        // Apple's documentation writes `URLs`, its Pass Builder `urls`.
        var urls = reader.part("URLs", &oddities)
        var others = reader.part("urls", &oddities)
        links = urls.links(&oddities).merging(others.links(&oddities)) { link, _ in link }
        contacts = urls.contacts(&oddities).merging(others.contacts(&oddities)) { text, _ in text }
        fields = PassFields(&reader, limit: fieldsInGroup, &oddities)
    }
}

extension ObjectReader {
    /// The object with this key, or an empty one.
    fileprivate mutating func part(_ key: String, _ oddities: inout Oddities) -> ObjectReader {
        ObjectReader(object(key, &oddities) ?? [:], place: .object(key))
    }
}

extension UpcomingEntry {
    /// When the event is, in the time zone of the event; nil if unknown.
    ///
    /// ```swift
    /// let next = pass.upcomingEntries.first
    /// print(next?.formattedDate(locale: .current, timeZone: .current) ?? "date to be announced")
    /// ```
    ///
    /// - Parameters:
    ///   - locale: The user's locale.
    ///   - timeZone: The user's time zone; another one is named.
    public func formattedDate(locale: Locale, timeZone: TimeZone) -> String? {
        guard let date else { return nil }
        let reader = date.displayZone(reader: timeZone)
        let offset = ignoresTime ? date.secondsFromGMT.flatMap(TimeZone.init(secondsFromGMT:)) : nil
        let own = self.timeZone.flatMap(TimeZone.init(identifier:)) ?? offset
        return DateWriter(locale: locale, timeZone: reader).text(
            date.date, date: .full, time: ignoresTime ? .none : .short,
            in: date.secondsFromGMT == nil ? reader : own ?? reader)
    }
}
