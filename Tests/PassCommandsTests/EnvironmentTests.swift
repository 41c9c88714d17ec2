import PassCommands
import Testing

@Suite("The variables of the shell say where things lie and what is spoken")
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

    @Test(
        "the trust folder lies with the configuration",
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
            (["LANG": "de_DE.UTF-8", "LC_MESSAGES": "fr_FR.UTF-8"], nil, "fr-FR"),
            (["LC_ALL": "pt_BR", "LC_MESSAGES": "fr_FR"], nil, "pt-BR"),
            (["LC_ALL": "", "LANG": "nl_NL"], nil, "nl-NL"),
            (["LANG": "de_DE.UTF-8"], "ja", "ja"),
        ] as [([String: String], String?, String)])
    func language(variables: [String: String], option: String?, language: String) {
        #expect(Environment(variables).languages(option) == [language])
    }
}
