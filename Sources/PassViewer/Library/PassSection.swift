package import Foundation
internal import Localization
package import PassModel
internal import PassStore

/// The parts of the list, in their order: what is needed next stands first, what is of no use last.
package enum PassSection: Int, Sendable, CaseIterable {
    case now, upcoming, other, past

    /// Half of the day around now: how long somebody is on the way there, and stays.
    package static let nearby: TimeInterval = 12 * 3600

    /// Where a pass stands, and by which date among the others there: when it is of use now or next.
    package static func place(
        relevantDates: [RelevantDate], expirationDate: Date?, isVoided: Bool, now: Date
    ) -> (section: PassSection, date: Date?) {
        if isVoided || expirationDate.map({ $0 <= now }) == true { return (.past, nil) }
        let spans = relevantDates.compactMap(Span.init).filter { $0.end >= now }
        guard let next = spans.min(by: { $0.start < $1.start }) else { return (.other, nil) }
        return (next.start <= now ? .now : .upcoming, next.date)
    }

    /// When a pass comes to another place next; nil if it stays where it is.
    package static func nextChange(
        relevantDates: [RelevantDate], expirationDate: Date?, isVoided: Bool, after now: Date
    ) -> Date? {
        guard !isVoided, expirationDate.map({ $0 > now }) ?? true else { return nil }
        // A span holds until its end, and a moment later no more.
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

/// Where a pass stands now.
struct PassPlace: Hashable, Sendable {
    let section: PassSection
    /// By which it stands among the others there.
    let date: Date?

    init(of version: StoredVersion, now: Date) {
        (section, date) = PassSection.place(of: version, now: now)
    }
}

/// When somebody looks for a pass.
private struct Span {
    let start: Date
    let end: Date
    /// What the pass says of it.
    let date: Date

    init?(_ relevant: RelevantDate) {
        if let start = relevant.date ?? relevant.startDate {
            self.start = start - PassSection.nearby
            // A moment has no end of its own, nor what only begins.
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
