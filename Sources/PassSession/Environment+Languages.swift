internal import Bytes
package import Localization

extension Environment {
    /// The languages of words and passes, BCP 47, the one liked best first; English where nobody says
    /// another.
    ///
    /// - Parameter option: In place of what the variables say: gettext's LANGUAGE, and the locale. It may be
    ///   such a list too.
    package func languages(_ option: String?) -> [String] {
        let names = option.map { [$0] } ?? wantedLanguages
        var languages: [String] = []
        for name in names.flatMap({ $0.split(separator: ":") }).map(languageTag)
        where !name.isEmpty && !languages.contains(name) {
            languages.append(name)
        }
        return languages.isEmpty ? ["en"] : languages
    }

    /// The catalogue of these languages; nil for English.
    package func catalogue(_ option: String?) -> Catalogue? {
        Catalogue(languages(option), ofProgram: CommandLine.programPath ?? "")
    }

    /// How dates are written.
    package func locale(_ option: String?) -> String {
        let first = option.flatMap { $0.split(separator: ":").first.map(String.init) }
        let tag = languageTag(first ?? locale(of: "LC_TIME") ?? "")
        return tag.isEmpty ? "en_US" : tag
    }

    /// As gettext reads them: in the locale C nothing is translated, whatever LANGUAGE says.
    private var wantedLanguages: [String] {
        guard let locale = locale(of: "LC_MESSAGES"), locale != "C", locale != "POSIX" else {
            return []
        }
        return [self["LANGUAGE"], locale].compactMap(\.self)
    }

    private func locale(of category: String) -> String? {
        self["LC_ALL"] ?? self[category] ?? self["LANG"]
    }
}

/// `de_AT.UTF-8@euro` is `de-AT`; `C` and `POSIX` are no language.
private func languageTag(_ name: some StringProtocol) -> String {
    let bare = name.prefix { $0 != "." && $0 != "@" }
    return bare == "C" || bare == "POSIX" ? "" : String(bare).replacing("_", with: "-")
}
