internal import Glibc

/// Whether what this shell finds by the program's name is the program, and is found by the desktop and
/// by mail programs too: a person's own folders are often in the search path of the shell alone.
package func isFoundByAll(_ path: String?, as own: String) -> Bool {
    guard let path, let slash = path.lastIndex(of: "/"),
        ["/usr/local/bin", "/usr/bin", "/bin"].contains(String(path[..<slash])),
        let resolved = unsafe realpath(path, nil)
    else { return false }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved) == own
}
