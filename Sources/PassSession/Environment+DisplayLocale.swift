internal import Foundation
package import PassPresentation

extension DisplayLocale {
    /// Uses the variables of the environment.
    ///
    /// - Parameter language: Overrides the variables.
    package init(_ environment: Environment, language: String?) {
        self.init(
            languages: environment.languages(language),
            locale: Locale(identifier: environment.locale(language)),
            timeZone: environment.timeZone,
            now: .now,
            writesISODates: language == nil && environment.hasNoTimeLocale)
    }
}
