internal import Foundation

/// Why a command ends before it is done.
enum Failure: Error, CustomStringConvertible {
    /// The command line asks for what cannot be, in words that may follow a program's name.
    case usage(String)
    /// Something other than a source of passes: the library, a trust root, a list of types.
    case unreadable(String, reason: String)
    case unwritable(String, reason: String)

    var exitCode: ExitCode {
        switch self {
        case .usage: .usage
        case .unreadable, .unwritable: .unreadable
        }
    }

    var description: String {
        switch self {
        case .usage(let clause): clause
        case .unreadable(let path, let reason): "\(path): \(reason)"
        case .unwritable(let path, let reason): "\(path): \(reason)"
        }
    }
}

/// A file as it is, or a failure that names it.
func contents(of path: String) throws -> Data {
    do {
        return try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
        throw Failure.unreadable(path, reason: reason(error))
    }
}

/// The system's own words for what Foundation reports.
func reason(_ error: any Error) -> String {
    var error = error as NSError
    while error.domain != NSPOSIXErrorDomain,
        let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError
    {
        error = cause
    }
    guard error.domain == NSPOSIXErrorDomain else { return clause(error.localizedDescription) }
    return clause(unsafe String(cString: strerror(CInt(error.code))))
}
