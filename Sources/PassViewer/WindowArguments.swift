internal import ArgumentParser
internal import PassSession

/// What passconduit-viewer is started with: the options of `open` that hold for a window.
struct WindowArguments: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "Passes, bundles, mails, or URLs; without any, the library is shown.",
            valueName: "file"),
        completion: .file())
    var files: [String] = []

    @OptionGroup var trust: TrustArguments
    @OptionGroup var place: LibraryArguments
    @OptionGroup var language: LanguageArguments
    @OptionGroup var fetching: FetchArguments

    /// That which was asked for, BCP 47; nil to go by the locale.
    var wantedLanguage: String? { language.language }

    init() {}

    func validate() throws {
        if files.contains("") { throw ValidationError("'' is no path") }
    }
}
