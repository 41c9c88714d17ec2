internal import ArgumentParser
internal import PassSession

/// The options of passconduit-viewer: those of `open` that apply to windows.
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

    /// A BCP 47 tag; nil for the language of the locale.
    var wantedLanguage: String? { language.language }

    init() {}

    func validate() throws {
        if files.contains("") { throw ValidationError("the path is empty") }
    }
}
