internal import Foundation

/// The user's base folders, as the XDG Base Directory Specification defines them.
package struct BaseFolders: Sendable {
    private let environment: [String: String]

    package init(_ environment: [String: String]) {
        self.environment = environment
    }

    /// The value of a variable; nil if it is unset or empty.
    package subscript(name: String) -> String? {
        environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The home folder.
    package var home: String { self["HOME"] ?? NSHomeDirectory() }
    /// The folder of the user's data.
    package var data: String { folder("XDG_DATA_HOME", or: ".local/share") }
    /// The folder of the user's settings.
    package var settings: String { folder("XDG_CONFIG_HOME", or: ".config") }
    /// The folder of state that is neither data nor settings.
    package var state: String { folder("XDG_STATE_HOME", or: ".local/state") }

    /// The specification says to ignore relative paths.
    private func folder(_ variable: String, or folder: String) -> String {
        if let path = self[variable], path.hasPrefix("/") { return path }
        return home + "/" + folder
    }
}
