internal import GRDB
public import PassModel
public import PassVerification
internal import Platform

/// An error of the store of a web service.
///
/// ```swift
/// do {
///     _ = try await store.publish(verified)
/// } catch ServiceError.noToken(let pass) {
///     print("\(pass) has no authenticationToken")
/// }
/// ```
public enum ServiceError: Error, Sendable, Hashable {
    /// There is no store in this folder.
    case noSuchStore(String)
    /// A later version of this program created the store in this folder.
    case newerStore(String)
    /// This file cannot be read: the system's errno.
    case cannotRead(path: String, code: Int32)
    /// This file or folder cannot be written: the system's errno.
    case cannotWrite(path: String, code: Int32)
    /// The database in this folder cannot be used: the message of SQLite.
    case database(path: String, message: String)
    /// Another program used the database for too long.
    case locked(String)
    /// Only trusted passes are published.
    case notTrusted(PassIdentity, Verdict)
    /// The pass has no `authenticationToken` of at least 16 characters, so no device may ask for it.
    case noToken(PassIdentity)
    /// The file of a published pass is missing or was changed.
    case damagedFile(String)
}

extension ServiceError {
    init(_ error: any Error, at path: String) {
        switch error {
        case let error as ServiceError:
            self = error
        case let error as DatabaseError where error.resultCode == .SQLITE_BUSY:
            self = .locked(path)
        case let error as DatabaseError:
            self = .database(
                path: path, message: error.message ?? "SQLite \(error.resultCode.rawValue)")
        default:
            self = .database(path: path, message: "\(error)")
        }
    }
}
