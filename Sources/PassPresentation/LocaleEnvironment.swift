/// The environment variables that set the user's languages, locale and time zone.
package struct LocaleEnvironment: Sendable {
    let variables: [String: String]

    package init(_ variables: [String: String]) {
        self.variables = variables
    }

    /// The value of a variable; nil if it is unset or empty.
    private subscript(name: String) -> String? {
        variables[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The preferred languages for messages and passes, as BCP 47 tags; English by default.
    ///
    /// - Parameter option: Overrides the variables, which are gettext's LANGUAGE and the locale. It
    /// may be a list like LANGUAGE.
    package func languages(_ option: String?) -> [String] {
        let names = option.map { [$0] } ?? wantedLanguages
        var languages: [String] = []
        for name in names.flatMap({ $0.split(separator: ":") }).map(languageTag)
        where !name.isEmpty && !languages.contains(name) {
            languages.append(name)
        }
        return languages.isEmpty ? ["en"] : languages
    }

    /// The locale for dates.
    package func locale(_ option: String?) -> String {
        let first = option.flatMap { $0.split(separator: ":").first.map(String.init) }
        let tag = languageTag(first ?? locale(of: "LC_TIME") ?? "")
        return tag.isEmpty ? "en_US" : tag
    }

    /// Whether the locale for dates is that of no language: C or POSIX.
    package var hasNoTimeLocale: Bool { languageTag(locale(of: "LC_TIME") ?? "").isEmpty }

    /// Whether text on terminals is UTF-8.
    package var isUTF8: Bool {
        let name = (locale(of: "LC_CTYPE") ?? "").lowercased()
        return name.contains("utf-8") || name.contains("utf8")
    }

    /// Follows gettext: in the C locale nothing is translated, whatever LANGUAGE says.
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

/// Turns `de_AT.UTF-8@euro` into `de-AT`, and `sr_RS@latin` into `sr-Latn-RS`; empty for `C` and
/// `POSIX`.
private func languageTag(_ name: some StringProtocol) -> String {
    let bare = name.prefix { $0 != "." && $0 != "@" }
    if bare.isEmpty || bare == "C" || bare == "POSIX" { return "" }
    let tag = String(bare).replacing("_", with: "-")
    let modifier = name.drop { $0 != "@" }.dropFirst().prefix { $0 != "." }
    guard let script = scripts[String(modifier)] else { return tag }
    var subtags = tag.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    // `uz_Latn_UZ@cyrillic` names a script already.
    if subtags.dropFirst().first?.utf8.count != 4 { subtags.insert(script, at: 1) }
    return subtags.joined(separator: "-")
}

/// The scripts that the locales of glibc name after `@`.
private let scripts = ["latin": "Latn", "cyrillic": "Cyrl", "devanagari": "Deva"]
