internal import Bytes
internal import Foundation
internal import GRDB
public import PassModel

/// An error of the library.
public enum LibraryError: Error, Sendable, Equatable, CustomStringConvertible {
    /// There is no library in this directory.
    case noSuchLibrary(String)
    /// This file or directory cannot be written, for this reason.
    case cannotWrite(path: String, reason: String)
    /// This file or directory cannot be read, for this reason.
    case cannotRead(path: String, reason: String)
    /// Another process has used the library for longer than the caller's patience.
    case locked(String)
    /// The index is damaged, or does not match the files.
    case corrupted(path: String, reason: String)
    /// A later version of this program made the library.
    case newerLibrary(String)
    /// The index was replaced while it was open: the library must be opened again.
    case replaced(String)
    /// The file of a stored pass is missing or was changed.
    case damagedPass(sha256: String, reason: String)
    /// No pass in the library matches this name.
    case noSuchPass(String)
    /// More than one pass matches this name.
    case ambiguous(name: String, candidates: [PassIdentity])

    /// A lower-case clause without a full stop, which may contain unescaped text of a pass.
    public var description: String {
        switch self {
        case .noSuchLibrary(let path): "there is no library at \(path)"
        case .cannotWrite(let path, let reason): "cannot write \(path): \(reason)"
        case .cannotRead(let path, let reason): "cannot read \(path): \(reason)"
        case .locked(let path): "the library at \(path) is in use by another program"
        case .corrupted(let path, let reason): "the library's index \(path) is damaged: \(reason)"
        case .newerLibrary(let path): "the library at \(path) was made by a later version"
        case .replaced(let path): "the library's index \(path) was replaced while it was open"
        case .damagedPass(let sha256, let reason): "the stored pass \(sha256) \(reason)"
        case .noSuchPass(let name): "there is no pass \(name) in the library"
        case .ambiguous(let name, let candidates):
            "\(name) could be " + candidates.map(\.description).joined(separator: " or ")
        }
    }
}

extension LibraryError {
    /// The library error for an error of the index at `path`.
    init(_ error: any Error, at path: String) {
        switch error {
        case let error as LibraryError:
            self = error
        case let error as FileError:
            self = .cannotWrite(path: path, reason: error.reason)
        case let error as DatabaseError:
            let reason = error.message ?? error.resultCode.description
            switch error.resultCode {
            case .SQLITE_BUSY, .SQLITE_LOCKED: self = .locked(path)
            case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_SCHEMA, .SQLITE_CONSTRAINT:
                self = .corrupted(path: path, reason: reason)
            case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH, .SQLITE_NOMEM:
                self = .cannotRead(path: path, reason: reason)
            case .SQLITE_READONLY, .SQLITE_FULL, .SQLITE_IOERR:
                self = .cannotWrite(path: path, reason: reason)
            default: self = .corrupted(path: path, reason: reason)
            }
        default:
            // Otherwise, a row violates the schema.
            self = .corrupted(path: path, reason: "\(error)")
        }
    }
}
