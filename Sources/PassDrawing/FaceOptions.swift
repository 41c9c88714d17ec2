package import Foundation

/// The user's preferences for drawing a pass.
package struct FaceOptions: Sendable {
    /// BCP 47 tags, in order of preference.
    package var languages: [String]
    /// The format of dates and amounts.
    package var locale: Locale
    /// The user's time zone.
    package var timeZone: TimeZone
    /// The reference for relative dates and expiry.
    package var now: Date
    /// The image scale in pixels per point: 1, 2 or 3.
    package var scale: Int

    package init(
        languages: [String], locale: Locale, timeZone: TimeZone = .current, now: Date = .now,
        scale: Int = 2
    ) {
        self.languages = languages
        self.locale = locale
        self.timeZone = timeZone
        self.now = now
        self.scale = scale
    }
}

/// In points.
package struct FaceSize: Sendable, Hashable {
    package var width: Double
    package var height: Double

    package init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }
}
