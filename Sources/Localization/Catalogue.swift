internal import CGettext
internal import Foundation
internal import Glibc

/// Where the program's words lie in other languages: gettext's catalogues, one file for each.
package struct Catalogue: Sendable {
    /// The name of the files, `passconduit.mo`.
    static let domain = "passconduit"

    /// The folder that holds `LANGUAGE/LC_MESSAGES/passconduit.mo`.
    package let folder: String

    package init(in folder: String) {
        self.folder = folder
    }

    /// The nearest `share/locale` above a program: `../share/locale` for one in `bin`.
    ///
    /// - Parameter program: Its path, with links resolved.
    package init(ofProgram program: String) {
        var folder = URL(fileURLWithPath: program)
        for _ in 0..<3 {
            folder.deleteLastPathComponent()
            let catalogues = folder.appendingPathComponent("share/locale").path
            if FileManager.default.fileExists(atPath: catalogues) {
                self.init(in: catalogues)
                return
            }
        }
        self.init(in: "/usr/share/locale")
    }

    /// Has ``localized(_:)`` speak a language from now on. To be called before there are other threads.
    ///
    /// - Parameters:
    ///   - language: BCP 47, or a locale's name; nil for what the locale of the process says.
    ///   - variables: Those of the process.
    package func use(_ language: String?, _ variables: [String: String]) {
        let wanted = language ?? Catalogue.language(in: variables)
        // The locale of a language may never have been made on this computer.
        if unsafe setlocale(LC_ALL, "") == nil { unsafe setlocale(LC_ALL, "C.UTF-8") }
        if let wanted {
            // The catalogues need none, but gettext translates nothing in the locale C.
            unsafe setlocale(LC_MESSAGES, "C.UTF-8")
            unsafe setenv("LANGUAGE", wanted.replacing("-", with: "_"), 1)
        }
        unsafe bindtextdomain(Catalogue.domain, folder)
        unsafe bind_textdomain_codeset(Catalogue.domain, "UTF-8")
    }

    /// What gettext would look for: the list in LANGUAGE, else the locale's; nil for English as it is
    /// in the source.
    static func language(in variables: [String: String]) -> String? {
        func value(_ name: String) -> String? {
            variables[name].flatMap { $0.isEmpty ? nil : $0 }
        }
        guard let locale = value("LC_ALL") ?? value("LC_MESSAGES") ?? value("LANG") else {
            return nil
        }
        let name = String(locale.prefix { $0 != "." && $0 != "@" })
        guard name != "C" || locale != name, name != "POSIX" else { return nil }
        if let list = value("LANGUAGE") { return list }
        return name == "C" ? nil : name
    }
}
