internal import Foundation

/// What the person who runs the program has said once and for all: the variables of the session.
package struct Environment: Sendable {
    package var variables: [String: String]

    package init(_ variables: [String: String]) {
        self.variables = variables
    }

    /// A variable that is set and not empty: the XDG rules and NO_COLOR read an empty one as unset.
    package subscript(name: String) -> String? {
        variables[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Where the library lies: the option, the variable, or the place for data of the person.
    package func library(_ option: String?) -> String {
        option ?? self["PASSCONDUIT_LIBRARY"]
            ?? base("XDG_DATA_HOME", or: ".local/share") + "/passconduit"
    }

    /// Where the authorities are kept that the person trusts beside Apple.
    package var trustFolder: String {
        base("XDG_CONFIG_HOME", or: ".config") + "/passconduit/trust"
    }

    /// Where the person's own files lie, by their kind.
    package var dataFolder: String { base("XDG_DATA_HOME", or: ".local/share") }
    package var configFolder: String { base("XDG_CONFIG_HOME", or: ".config") }

    /// What the program remembers that is no data of the person's.
    package var stateFolder: String { base("XDG_STATE_HOME", or: ".local/state") + "/passconduit" }

    /// Where data lies for everyone on this computer.
    package var sharedDataFolders: [String] {
        (self["XDG_DATA_DIRS"] ?? "/usr/local/share:/usr/share").split(separator: ":")
            .filter { $0.hasPrefix("/") }.map {
                $0.last == "/" ? String($0.dropLast()) : String($0)
            }
    }

    package var home: String { self["HOME"] ?? NSHomeDirectory() }

    /// The XDG base directory specification has relative paths ignored.
    func base(_ variable: String, or folder: String) -> String {
        if let path = self[variable], path.hasPrefix("/") { return path }
        return home + "/" + folder
    }
}
