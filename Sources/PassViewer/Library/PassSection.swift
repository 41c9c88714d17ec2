package import Foundation
internal import Localization
package import PassModel
internal import PassStore

/// The sections of the list, in order: from passes needed soonest to passes that can no longer be
/// used.
package enum PassSection: Int, Sendable, CaseIterable {
    case now, upcoming, other, past

    /// In seconds. A pass counts as current from 12 hours before its relevant date until 12 hours
    /// after.
    package static let nearby: TimeInterval = 12 * 3600

    /// The section of a pass, and the date that sorts it there: that of its current or next use.
    package static func place(
        relevantDates: [RelevantDate], expirationDate: Date?, isVoided: Bool, now: Date
    ) -> (section: PassSection, date: Date?) {
        if isVoided || expirationDate.map({ $0 <= now }) == true { return (.past, nil) }
        let spans = relevantDates.compactMap(Span.init).filter { $0.end >= now }
        guard let next = spans.min(by: { $0.start < $1.start }) else { return (.other, nil) }
        return (next.start <= now ? .now : .upcoming, next.date)
    }

    /// When the pass next changes its section; nil if it never does.
    package static func nextChange(
        relevantDates: [RelevantDate], expirationDate: Date?, isVoided: Bool, after now: Date
    ) -> Date? {
        guard !isVoided, expirationDate.map({ $0 > now }) ?? true else { return nil }
        // A span includes its end, so the change comes 1 ms later.
        let ends = relevantDates.compactMap(Span.init).flatMap { [$0.start, $0.end + 0.001] }
        return (ends + [expirationDate].compactMap(\.self)).filter { $0 > now }.min()
    }

    static func nextChange(of version: StoredVersion, after now: Date) -> Date? {
        nextChange(
            relevantDates: version.relevantDates, expirationDate: version.expirationDate,
            isVoided: version.isVoided, after: now)
    }

    static func place(
        of version: StoredVersion, now: Date
    ) -> (section: PassSection, date: Date?) {
        place(
            relevantDates: version.relevantDates, expirationDate: version.expirationDate,
            isVoided: version.isVoided, now: now)
    }

    var title: String {
        switch self {
        case .now: localized("Now")
        case .upcoming: localized("Upcoming")
        case .other: localized("Passes")
        case .past: localized("Expired and voided")
        }
    }
}

/// The section of a pass, and the date that sorts it there.
struct PassPlace: Hashable, Sendable {
    let section: PassSection
    let date: Date?

    init(of version: StoredVersion, now: Date) {
        (section, date) = PassSection.place(of: version, now: now)
    }
}

/// The time in which a pass can be used.
private struct Span {
    let start: Date
    let end: Date
    /// The date as stated in the pass.
    let date: Date

    init?(_ relevant: RelevantDate) {
        if let start = relevant.date ?? relevant.startDate {
            self.start = start - PassSection.nearby
            // A single date, or a start without an end, has no end of its own.
            end = relevant.endDate.flatMap { $0 >= start ? $0 : nil } ?? start + PassSection.nearby
            date = start
        } else if let end = relevant.endDate {
            start = .distantPast
            self.end = end
            date = end
        } else {
            return nil
        }
    }
}
