internal import Databases
public import PassModel
public import PassSigning
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
    /// The database cannot be used. Carries the message of SQLite or PostgreSQL.
    case database(path: String, message: String)
    /// The database at this address cannot be reached. Carries the message of PostgreSQL.
    case unavailable(String, message: String)
    /// Another program used the database for too long.
    case locked(String)
    /// The disk of the database at this place is full.
    case noSpace(String)
    /// The address, which may contain a password, is not a PostgreSQL connection URI.
    case invalidAddress
    /// The connection URI contains a password or another secret, which other users would see in the
    /// list of processes.
    case passwordInAddress
    /// ``ServiceLimits/devicesPerPass`` devices are registered for this pass.
    case tooManyDevices(PassIdentity)
    /// Only trusted passes are published.
    case notTrusted(PassIdentity, Verdict)
    /// The pass has no `authenticationToken` of at least 16 characters, so no device may ask for it.
    case noToken(PassIdentity)
    /// The row of this pass cannot be changed this way.
    case refused(PassIdentity, RowRefusal)
    /// This version of the pass is not signed yet; a ``TemplateSigner`` signs it.
    case notSigned(PassIdentity)
    /// The pass could not be signed, for this reason; nil if its row no longer makes a pass with
    /// this identity.
    case cannotSign(PassIdentity, SigningError?)
    /// The certificate and key of this pass type could not be opened. Carries a description of the
    /// error.
    case noSigner(passType: String, message: String)
}

extension ServiceError {
    init(_ error: any Error, at path: String) {
        switch error {
        case let error as ServiceError: self = error
        case SQLError.unavailable(let message): self = .unavailable(path, message: message)
        case SQLError.locked, SQLError.conflict: self = .locked(path)
        case SQLError.failed(let message): self = .database(path: path, message: message)
        case SQLError.noSpace: self = .noSpace(path)
        case SQLError.invalidAddress: self = .invalidAddress
        case SQLError.passwordInAddress: self = .passwordInAddress
        default: self = .database(path: path, message: "\(error)")
        }
    }
}
