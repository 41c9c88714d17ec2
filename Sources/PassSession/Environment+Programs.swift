internal import Glibc

extension Environment {
    /// Where the search path of the shell leads for a name; nil for nowhere. Folders that are not
    /// absolute are left out: what lies there depends on where the desktop happens to be.
    package func program(named name: String) -> String? {
        guard !name.contains("/") else { return nil }
        return (self["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
            .filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }.first(where: isProgram)
    }
}

/// Whether a path is that of a file that can be run.
func isProgram(_ path: String) -> Bool {
    var status = stat()
    return unsafe access(path, X_OK) == 0 && stat(path, &status) == 0
        && status.st_mode & S_IFMT == S_IFREG
}
