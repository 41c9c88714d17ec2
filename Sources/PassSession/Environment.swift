internal import Foundation

/// The environment variables of the program.
package struct Environment: Sendable {
    package var variables: [String: String]

    package init(_ variables: [String: String]) {
        self.variables = variables
    }

    /// The value of a variable; nil if it is unset or empty, as the XDG rules and NO_COLOR require.
    package subscript(name: String) -> String? {
        variables[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The folder of the library: the option, the variable, or the default in the data folder.
    package func library(_ option: String?) -> String {
        option ?? self["PASSCONDUIT_LIBRARY"]
            ?? base("XDG_DATA_HOME", or: ".local/share") + "/passconduit"
    }

    /// The folder of the certificates that the user trusts in addition to Apple's.
    package var trustFolder: String {
        base("XDG_CONFIG_HOME", or: ".config") + "/passconduit/trust"
    }

    /// The folder of the keys and certificates with which the user signs passes.
    package var signingFolder: String {
        base("XDG_CONFIG_HOME", or: ".config") + "/passconduit/signing"
    }

    /// The base folder of the user's data.
    package var dataFolder: String { base("XDG_DATA_HOME", or: ".local/share") }
    package var configFolder: String { base("XDG_CONFIG_HOME", or: ".config") }

    /// The folder of state that is not user data.
    package var stateFolder: String { base("XDG_STATE_HOME", or: ".local/state") + "/passconduit" }

    /// The base folders of data shared by all users.
    package var sharedDataFolders: [String] {
        (self["XDG_DATA_DIRS"] ?? "/usr/local/share:/usr/share").split(separator: ":")
            .filter { $0.hasPrefix("/") }.map {
                $0.last == "/" ? String($0.dropLast()) : String($0)
            }
    }

    package var home: String { self["HOME"] ?? NSHomeDirectory() }

    /// The XDG Base Directory Specification says to ignore relative paths.
    func base(_ variable: String, or folder: String) -> String {
        if let path = self[variable], path.hasPrefix("/") { return path }
        return home + "/" + folder
    }
}
