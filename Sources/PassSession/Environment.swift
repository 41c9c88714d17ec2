internal import PassStore

/// The environment variables of the program.
package struct Environment: Sendable {
    package var variables: [String: String]

    package init(_ variables: [String: String]) {
        self.variables = variables
        // A confined process cannot look it up.
        self.variables["HOME"] = folders.home
    }

    private var folders: BaseFolders { BaseFolders(variables) }

    /// The value of a variable; nil if it is unset or empty, as the XDG rules and NO_COLOR require.
    package subscript(name: String) -> String? { folders[name] }

    /// The folder of the library: the option, the variable, or the default in the data folder.
    package func library(_ option: String?) -> String {
        option ?? PassLocations(environment: variables).libraryPath
    }

    /// The folder of the certificates that the user trusts in addition to Apple's.
    package var trustFolder: String { PassLocations(environment: variables).trustPath }

    /// The folder of the keys and certificates with which the user signs passes.
    package var signingFolder: String { configFolder + "/passconduit/signing" }

    /// The base folder of the user's data.
    package var dataFolder: String { folders.data }
    package var configFolder: String { folders.settings }

    /// The folder of state that is not user data.
    package var stateFolder: String { folders.state + "/passconduit" }

    /// The base folders of data shared by all users.
    package var sharedDataFolders: [String] {
        (self["XDG_DATA_DIRS"] ?? "/usr/local/share:/usr/share").split(separator: ":")
            .filter { $0.hasPrefix("/") }.map {
                $0.last == "/" ? String($0.dropLast()) : String($0)
            }
    }

    package var home: String { folders.home }
}
