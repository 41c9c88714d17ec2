internal import CGettext
internal import Foundation
internal import Glibc

/// Where the program's words lie in other languages: gettext's catalogues, one file for each.
package struct Catalogue: Sendable {
    /// The name of the files, `passconduit.mo`.
    static let domain = "passconduit"

    /// The folder that holds `LANGUAGE/LC_MESSAGES/passconduit.mo`.
    package let folder: String
    /// As gettext's LANGUAGE lists them.
    private let languages: [String]

    /// Nil for English, which is in the source: nobody who likes it best gets another language.
    ///
    /// - Parameters:
    ///   - languages: BCP 47, the one liked best first.
    ///   - program: Its path, with links resolved: the nearest `share/locale` above it is taken, as
    ///     `../share/locale` for one in `bin`.
    package init?(_ languages: [String], ofProgram program: String) {
        self.languages = Catalogue.wanted(languages)
        if self.languages.isEmpty { return nil }
        var place = URL(fileURLWithPath: program)
        for _ in 0..<3 {
            place.deleteLastPathComponent()
            let catalogues = place.appendingPathComponent("share/locale").path
            if FileManager.default.fileExists(atPath: catalogues) {
                folder = catalogues
                return
            }
        }
        folder = "/usr/share/locale"
    }

    /// The languages to look for: none behind English.
    static func wanted(_ languages: [String]) -> [String] {
        languages.prefix { $0 != "en" && !$0.hasPrefix("en-") }
            .map { $0.replacing("-", with: "_") }
    }

    /// Has ``localized(_:_:)`` speak from now on. No catalogue is opened before there is a word to be found
    /// in it. To be called before there are other threads.
    package func use() {
        // The catalogues need no locale, but gettext translates nothing in the locale C.
        unsafe setlocale(LC_MESSAGES, "C.UTF-8")
        unsafe setenv("LANGUAGE", languages.joined(separator: ":"), 1)
        unsafe bindtextdomain(Catalogue.domain, folder)
        unsafe bind_textdomain_codeset(Catalogue.domain, "UTF-8")
        // What the C library says of an error is kept in the library and in records, which are English.
        unsafe bindtextdomain("libc", "/dev/null")
    }

    /// Whether words may be in another language than English.
    static var isInUse: Bool {
        unsafe setlocale(LC_MESSAGES, nil).map { unsafe strcmp($0, "C") != 0 } ?? false
    }

    /// Has the libraries of windows and texts keep to the locale of the process, but for their words: these
    /// are those of ``use()``. To be called before it.
    package static func takeLocale() {
        // The locale of a language may never have been made on this computer.
        if unsafe setlocale(LC_ALL, "") == nil { unsafe setlocale(LC_ALL, "C.UTF-8") }
        unsafe setlocale(LC_MESSAGES, "C")
    }
}
