package import Foundation
internal import Localization
package import PassModel
package import PassStore

/// The sections of the list, in order: from passes needed soonest to passes that can no longer be
/// used.
package enum PassSection: Int, Sendable, CaseIterable {
    case now, upcoming, other, past

    /// In seconds. A pass counts as current from 12 hours before its relevant date until 12 hours
    /// after.
    package static let nearby: TimeInterval = 12 * 3600

    /// The section of a pass, and the date that sorts it there: that of its current or next use.
    /// Store cards, coupons and passes that expire later stay of use after their dates.
    package static func place(
        style: PassStyle?, relevantDates: [RelevantDate], expirationDate: Date?, isVoided: Bool,
        now: Date
    ) -> (section: PassSection, date: Date?) {
        if isVoided || expirationDate.map({ $0 <= now }) == true { return (.past, nil) }
        let spans = relevantDates.compactMap(Span.init)
        if let next = spans.filter({ $0.end >= now }).min(by: { $0.start < $1.start }) {
            return (next.start <= now ? .now : .upcoming, next.date)
        }
        let isOfUse = style == .storeCard || style == .coupon || expirationDate != nil
        return (spans.isEmpty || isOfUse ? .other : .past, nil)
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

    package static func nextChange(of version: StoredVersion, after now: Date) -> Date? {
        nextChange(
            relevantDates: version.relevantDates, expirationDate: version.expirationDate,
            isVoided: version.isVoided, after: now)
    }

    /// The passes of each section that has some: the next one first, those without a date by their
    /// arrival, and past ones by the date at which they were of use, the latest first.
    package static func arranged(
        _ passes: some Sequence<StoredPass>, at place: (StoredPass) -> PassPlace?
    ) -> [(section: PassSection, passes: [StoredPass])] {
        var parts: [PassSection: [(pass: StoredPass, key: Double)]] = [:]
        for pass in passes {
            guard let place = place(pass) else { continue }
            let version = pass.current
            let date =
                switch place.section {
                case .now, .upcoming: place.date ?? version.importedAt
                case .other: version.importedAt
                case .past:
                    version.relevantDate ?? version.expirationDate ?? version.importedAt
                }
            let isAhead = place.section == .now || place.section == .upcoming
            let seconds = date.timeIntervalSince1970
            parts[place.section, default: []].append((pass, isAhead ? seconds : -seconds))
        }
        return allCases.compactMap { section in
            parts[section].map { part in
                let sorted = part.sorted {
                    $0.key == $1.key ? $0.pass.id > $1.pass.id : $0.key < $1.key
                }
                return (section, sorted.map(\.pass))
            }
        }
    }

    package var title: String {
        switch self {
        case .now: localized("Now")
        case .upcoming: localized("Upcoming")
        case .other: localized("Passes")
        case .past: localized("Past")
        }
    }
}

/// The section of a pass, and the date that sorts it there.
package struct PassPlace: Hashable, Sendable {
    package let section: PassSection
    package let date: Date?

    package init(of version: StoredVersion, now: Date) {
        (section, date) = PassSection.place(
            style: version.style, relevantDates: version.relevantDates,
            expirationDate: version.expirationDate, isVoided: version.isVoided, now: now)
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
