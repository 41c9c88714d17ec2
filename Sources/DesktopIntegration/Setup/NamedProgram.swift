internal import Glibc
package import PassSession
internal import Platform

/// A program, as the files of setup name it.
package struct NamedProgram {
    let name: String
    /// The absolute path; nil if the name suffices.
    let path: String?

    package init(_ name: String, at path: String, in environment: Environment) {
        self.name = name
        let isFound = isFoundByAll(Program(name, in: environment)?.path, as: path)
        self.path = isFound ? nil : path
    }
}

/// Whether the program's name in PATH leads to this program, and does so for the desktop and mail
/// programs too. The user's own folders are often in the shell's PATH only.
func isFoundByAll(_ path: String?, as own: String) -> Bool {
    guard let path, let slash = path.lastIndex(of: "/"),
        Program.systemFolders.contains(String(path[..<slash])),
        let resolved = unsafe realpath(path, nil)
    else { return false }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved) == own
}
