package import MailSource
package import Platform

/// A notice to the user about a watched path.
package enum Notice: Sendable, Equatable {
    /// A path does not exist yet; the watcher waits for it.
    case missing(Path)
    /// A watched path has disappeared; the watcher waits for it.
    case gone(Path)
    /// A missing path has appeared.
    case back(Path)
    /// Not all changes will be reported by the system.
    case untold(FileError)
}
