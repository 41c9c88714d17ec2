internal import Glibc

extension Environment {
    /// Finds a program in PATH; nil if there is none. Relative folders are skipped, since they
    /// depend on the desktop's current folder.
    package func program(named name: String) -> String? {
        guard !name.contains("/") else { return nil }
        return (self["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
            .filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }.first(where: isProgram)
    }
}

/// Whether the path is an executable file.
func isProgram(_ path: String) -> Bool {
    var status = stat()
    return unsafe access(path, X_OK) == 0 && stat(path, &status) == 0
        && status.st_mode & S_IFMT == S_IFREG
}
