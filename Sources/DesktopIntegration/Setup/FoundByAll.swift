internal import Glibc
internal import PassSession
internal import Platform

/// Whether the program's name in PATH leads to this program, and does so for the desktop and mail
/// programs too. The user's own folders are often in the shell's PATH only.
package func isFoundByAll(_ path: String?, as own: String) -> Bool {
    guard let path, let slash = path.lastIndex(of: "/"),
        Program.systemFolders.contains(String(path[..<slash])),
        let resolved = unsafe realpath(path, nil)
    else { return false }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved) == own
}
