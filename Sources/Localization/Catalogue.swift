internal import CGettext
internal import Foundation
internal import Glibc

/// A gettext message catalogue: the program's texts in another language.
package struct Catalogue: Sendable {
    /// The base name of the catalogue files, `passconduit.mo`.
    static let domain = "passconduit"

    /// The folder that holds `LANGUAGE/LC_MESSAGES/passconduit.mo`.
    package let folder: String
    /// In the form of gettext's LANGUAGE.
    private let languages: [String]

    /// Nil if English is the first language, since the source texts are English.
    ///
    /// - Parameters:
    ///   - languages: BCP 47 tags, in order of preference.
    ///   - program: The path of the program, with links resolved. The nearest `share/locale` above
    ///     it that has a catalogue is used, such as `../share/locale` for a program in `bin`, or
    ///     else that of the system.
    package init?(_ languages: [String], ofProgram program: String) {
        self.languages = Catalogue.wanted(languages)
        if self.languages.isEmpty { return nil }
        var place = URL(fileURLWithPath: program)
        var folders: [String] = []
        for _ in 0..<3 {
            place.deleteLastPathComponent()
            folders.append(place.appendingPathComponent("share/locale").path)
        }
        let system = "/usr/share/locale"
        folders += ["/usr/local/share/locale", system]
        folder = folders.first(where: Catalogue.isIn) ?? system
    }

    /// Whether a folder has a catalogue in any language.
    private static func isIn(_ folder: String) -> Bool {
        let languages = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return languages.contains { language in
            FileManager.default.fileExists(
                atPath: "\(folder)/\(language)/LC_MESSAGES/\(domain).mo")
        }
    }

    /// The languages to look for; those after English are dropped.
    static func wanted(_ languages: [String]) -> [String] {
        languages.prefix { $0 != "en" && !$0.hasPrefix("en-") }
            .map { $0.replacing("-", with: "_") }
    }

    /// Makes ``localized(_:_:)`` use this catalogue. Files are opened on first lookup. Call it
    /// before starting threads.
    package func use() {
        // Catalogues need no locale, but gettext does not translate in the locale C.
        unsafe setlocale(LC_MESSAGES, "C.UTF-8")
        unsafe setenv("LANGUAGE", languages.joined(separator: ":"), 1)
        unsafe bindtextdomain(Catalogue.domain, folder)
        unsafe bind_textdomain_codeset(Catalogue.domain, "UTF-8")
        // Keep the C library's error messages in English, as in the library and records.
        unsafe bindtextdomain("libc", "/dev/null")
    }

    /// Whether texts may be in a language other than English.
    static var isInUse: Bool {
        unsafe setlocale(LC_MESSAGES, nil).map { unsafe strcmp($0, "C") != 0 } ?? false
    }

    /// Sets the process's locale for GTK and Pango, except for messages, which follow ``use()``.
    /// Call it before that.
    package static func takeLocale() {
        // The locale may not be generated on this computer.
        if unsafe setlocale(LC_ALL, "") == nil { unsafe setlocale(LC_ALL, "C.UTF-8") }
        unsafe setlocale(LC_MESSAGES, "C")
    }
}
