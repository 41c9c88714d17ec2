package import Bytes
package import MailSource

/// What a person is told of what is watched.
package enum Notice: Sendable, Equatable {
    /// A place is not there, and is waited for.
    case missing(Path)
    /// A place that was watched is not there any more, and is waited for.
    case gone(Path)
    /// A place is there that was not.
    case back(Path)
    /// The system will not tell of all changes.
    case untold(FileError)
}
