package import Foundation
internal import Localization
internal import PassStore

/// The parts of the list, in their order: what is needed next stands first, what is of no use last.
package enum PassSection: Int, Sendable, CaseIterable {
    case now, upcoming, other, past

    /// Half of the day around now.
    package static let nearby: TimeInterval = 12 * 3600

    package init(
        relevantDate: Date?, expirationDate: Date?, isVoided: Bool, now: Date
    ) {
        if isVoided || expirationDate.map({ $0 <= now }) == true {
            self = .past
        } else if let relevantDate {
            let distance = relevantDate.timeIntervalSince(now)
            self =
                abs(distance) <= PassSection.nearby
                ? .now : distance > 0 ? .upcoming : .other
        } else {
            self = .other
        }
    }

    init(_ version: StoredVersion, now: Date) {
        self.init(
            relevantDate: version.relevantDate, expirationDate: version.expirationDate,
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
