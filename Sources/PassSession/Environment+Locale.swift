package import Foundation
package import Localization
internal import PassPresentation
internal import Platform

extension Environment {
    private var reading: LocaleEnvironment { LocaleEnvironment(variables) }

    /// The preferred languages for messages and passes, as BCP 47 tags; English by default.
    ///
    /// - Parameter option: Overrides the variables. It may be a list like LANGUAGE.
    package func languages(_ option: String?) -> [String] { reading.languages(option) }

    /// The message catalogue for these languages; nil for English.
    package func catalogue(_ option: String?) -> Catalogue? {
        Catalogue(languages(option), ofProgram: CommandLine.programPath ?? "")
    }

    /// The locale for dates.
    package func locale(_ option: String?) -> String { reading.locale(option) }

    /// Whether text on terminals is UTF-8.
    package var isUTF8: Bool { reading.isUTF8 }

    /// The reader's time zone.
    package var timeZone: TimeZone { reading.timeZone }
}

extension DisplayLocale {
    /// Uses the variables of the environment.
    ///
    /// - Parameter language: Overrides the variables.
    package init(_ environment: Environment, language: String?) {
        self.init(LocaleEnvironment(environment.variables), language: language)
    }
}
