import Foundation
import PassSession
import Testing

@Suite("Environment variables set the locations and the language")
struct EnvironmentTests {
    @Test(
        "the library: the option, then PASSCONDUIT_LIBRARY, then the data folder",
        arguments: [
            (["HOME": "/h"], nil, "/h/.local/share/passconduit"),
            (["HOME": "/h", "XDG_DATA_HOME": "/data"], nil, "/data/passconduit"),
            (["HOME": "/h", "XDG_DATA_HOME": "data"], nil, "/h/.local/share/passconduit"),
            (["HOME": "/h", "XDG_DATA_HOME": ""], nil, "/h/.local/share/passconduit"),
            (["HOME": "/h", "PASSCONDUIT_LIBRARY": "/l"], nil, "/l"),
            (["HOME": "/h", "PASSCONDUIT_LIBRARY": ""], nil, "/h/.local/share/passconduit"),
            (["HOME": "/h", "PASSCONDUIT_LIBRARY": "/l"], "o", "o"),
        ] as [([String: String], String?, String)])
    func library(variables: [String: String], option: String?, path: String) {
        #expect(Environment(variables).library(option) == path)
    }

    @Test("without HOME, the home is that of the user database", arguments: [[:], ["HOME": ""]])
    func home(variables: [String: String]) throws {
        let home = unsafe String(cString: try #require(getpwuid(getuid())).pointee.pw_dir)
        let environment = Environment(variables)
        // A confined process cannot look it up any more.
        #expect(environment.variables["HOME"] == home)
        #expect(environment.library(nil) == "\(home)/.local/share/passconduit")
    }

    @Test(
        "the trust folder is in the configuration folder",
        arguments: [
            (["HOME": "/h"], "/h/.config/passconduit/trust"),
            (["HOME": "/h", "XDG_CONFIG_HOME": "/c"], "/c/passconduit/trust"),
        ])
    func trustFolder(variables: [String: String], path: String) {
        #expect(Environment(variables).trustFolder == path)
    }

    @Test(
        "the language: the option, then LC_ALL, LC_MESSAGES, LANG",
        arguments: [
            ([:], nil, "en"),
            (["LANG": "C.UTF-8"], nil, "en"),
            (["LANG": "POSIX"], nil, "en"),
            (["LANG": "de_AT.UTF-8@euro"], nil, "de-AT"),
            (["LANG": "sr_RS@latin"], nil, "sr-Latn-RS"),
            (["LC_ALL": "uz_UZ.UTF-8@cyrillic", "LANG": "de_DE"], nil, "uz-Cyrl-UZ"),
            (["LANG": "de_DE"], "sr@latin", "sr-Latn"), (["LANG": "@latin"], nil, "en"),
            (["LANG": "sr_Cyrl_RS@latin"], nil, "sr-Cyrl-RS"),
            (["LANG": "de_DE.UTF-8", "LC_MESSAGES": "fr_FR.UTF-8"], nil, "fr-FR"),
            (["LC_ALL": "pt_BR", "LC_MESSAGES": "fr_FR"], nil, "pt-BR"),
            (["LC_ALL": "", "LANG": "nl_NL"], nil, "nl-NL"),
            (["LANG": "de_DE.UTF-8"], "ja", "ja"),
        ] as [([String: String], String?, String)])
    func language(variables: [String: String], option: String?, language: String) {
        #expect(Environment(variables).languages(option) == [language])
    }

    @Test(
        "several languages in order of preference: LANGUAGE, as gettext reads it, then the locale",
        arguments: [
            (["LANG": "ko_KR.UTF-8", "LANGUAGE": "pt_BR:es"], nil, ["pt-BR", "es", "ko-KR"]),
            (["LANG": "es_ES.UTF-8", "LANGUAGE": "pt:es_ES"], nil, ["pt", "es-ES"]),
            (["LANG": "en_US.UTF-8", "LANGUAGE": "ko"], nil, ["ko", "en-US"]),
            (["LANG": "C.UTF-8", "LANGUAGE": "pt"], nil, ["pt"]),
            // In the locale C, nothing is translated.
            (["LANG": "C", "LANGUAGE": "pt"], nil, ["en"]),
            (["LANG": "ko_KR.UTF-8", "LC_ALL": "POSIX", "LANGUAGE": "pt"], nil, ["en"]),
            (["LANGUAGE": "pt"], nil, ["en"]),
            (["LANG": "ko_KR.UTF-8", "LANGUAGE": ""], nil, ["ko-KR"]),
            (["LANG": "ko_KR.UTF-8", "LANGUAGE": "ru"], "pt:es", ["pt", "es"]),
            (["LANG": "ko_KR.UTF-8"], ":", ["en"]),
        ] as [([String: String], String?, [String])])
    func languages(variables: [String: String], option: String?, languages: [String]) {
        #expect(Environment(variables).languages(option) == languages)
    }

    @Test(
        "the format of dates: the option, then LC_ALL, LC_TIME, LANG",
        arguments: [
            ([:], nil, "en_US"),
            (["LANG": "ko_KR.UTF-8"], nil, "ko-KR"),
            (["LANG": "ko_KR.UTF-8", "LC_TIME": "de_DE.UTF-8"], nil, "de-DE"),
            (["LANG": "ko_KR.UTF-8", "LC_TIME": "C.UTF-8"], nil, "en_US"),
            (["LANG": "en_US.UTF-8", "LC_MESSAGES": "ru_RU.UTF-8"], nil, "en-US"),
            (["LC_ALL": "pt_BR", "LC_TIME": "de_DE"], nil, "pt-BR"),
            (["LANG": "en_US.UTF-8", "LANGUAGE": "ko"], nil, "en-US"),
            (["LC_ALL": "pt_BR"], "ja", "ja"), (["LC_ALL": "pt_BR"], "ja:ko", "ja"),
            (["LC_TIME": "sr_RS@latin"], nil, "sr-Latn-RS"),
        ] as [([String: String], String?, String)])
    func dates(variables: [String: String], option: String?, locale: String) {
        #expect(Environment(variables).locale(option) == locale)
    }

    @Test(
        "the time zone: TZ, with or without a colon, a path or a folder of the database",
        arguments: [
            "Asia/Seoul", ":Asia/Seoul", "posix/Asia/Seoul", "/usr/share/zoneinfo/Asia/Seoul",
            ":/usr/share/zoneinfo/right/Asia/Seoul",
        ])
    func timeZone(variable: String) {
        #expect(Environment(["TZ": variable]).timeZone.identifier == "Asia/Seoul")
    }
}
