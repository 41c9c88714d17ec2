package import Foundation

/// For whom the face of a pass is drawn.
package struct FaceOptions: Sendable {
    /// BCP 47, the one liked best first.
    package var languages: [String]
    /// How dates and amounts are written.
    package var locale: Locale
    /// In which dates are shown that have no zone of their own.
    package var timeZone: TimeZone
    /// What dates are relative to, and what has expired.
    package var now: Date
    /// For how many pixels a point the images of the pass are chosen: 1, 2 or 3.
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
