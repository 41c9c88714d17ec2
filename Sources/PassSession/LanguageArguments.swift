package import ArgumentParser

/// The option for the language.
package struct LanguageArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The language of passes and messages (de, pt-BR; default: that of the locale).",
            valueName: "code"))
    package var language: String?

    package init() {}
}
