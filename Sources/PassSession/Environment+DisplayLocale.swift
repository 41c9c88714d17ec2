internal import Foundation
internal import PassPresentation

extension DisplayLocale {
    /// As the variables of the shell want it.
    ///
    /// - Parameter language: In place of what they say.
    package init(_ environment: Environment, language: String?) {
        self.init(
            languages: environment.languages(language),
            locale: Locale(identifier: environment.locale(language)), timeZone: .current, now: .now)
    }
}
