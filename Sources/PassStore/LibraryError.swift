internal import Foundation
internal import GRDB
public import PassModel
internal import Platform

/// An error of the library. PassPresentation contains the messages.
///
/// ```swift
/// do {
///     print(try PassLibrary.default.count())
/// } catch LibraryError.noSuchLibrary {
///     print("no passes yet")
/// }
/// ```
public enum LibraryError: Error, Sendable, Hashable, Codable {
    /// There is no library in this directory.
    case noSuchLibrary(String)
    /// This file or directory cannot be written, for this reason.
    case cannotWrite(path: String, reason: AccessFailure)
    /// This file or directory cannot be read, for this reason.
    case cannotRead(path: String, reason: AccessFailure)
    /// Another process used the library for longer than the caller was willing to wait.
    case locked(String)
    /// The index is damaged, or does not match the files.
    case corrupted(path: String, reason: IndexDamage)
    /// A later version of this program created the library.
    case newerLibrary(String)
    /// The index was replaced while it was open: the library must be opened again.
    case replaced(String)
    /// The file of a stored pass is missing or was changed.
    case damagedPass(sha256: String, reason: PassDamage)
    /// No pass in the library matches this name.
    case noSuchPass(String)
    /// More than one pass matches this name.
    case ambiguous(name: String, candidates: [PassIdentity])

    /// Why a file cannot be read or written.
    /// The payload of ``LibraryError/cannotRead(path:reason:)`` and
    /// ``LibraryError/cannotWrite(path:reason:)``.
    public indirect enum AccessFailure: Sendable, Hashable, Codable {
        /// The system's errno.
        case system(Int32)
        /// The message of SQLite.
        case index(String)
        /// The library was opened only for reading.
        case isReadOnly
        /// SQLite could not create the files that it needs beside an index to read it.
        case cannotMark(AccessFailure)
    }

    /// What is wrong with the file of a stored pass.
    /// The payload of ``LibraryError/damagedPass(sha256:reason:)``.
    public enum PassDamage: Sendable, Hashable, Codable {
        /// The file is gone.
        case gone
        /// The file was changed.
        case changed
        /// The file is unchanged, but cannot be read as a pass.
        case unreadablePass
        /// The file cannot be read: the system's errno.
        case unreadableFile(Int32)
    }
}

/// What is wrong with the index of a library.
/// The payload of ``LibraryError/corrupted(path:reason:)``.
public enum IndexDamage: Sendable, Hashable, Codable {
    /// The index is missing.
    case gone
    /// The index is missing or empty, although there are pass files.
    case lost
    /// A repair of the index was interrupted.
    case unfinishedMending
    /// The file ends within a page.
    case truncated
    /// SQLite does not recognise the file as a database.
    case notDatabase
    /// A row refers to a row that does not exist.
    case danglingRow
    /// A row violates the schema. The value is the column, or the message of a library.
    case unreadableRow(String)
    /// The message of SQLite.
    case reported(String)
}

extension LibraryError {
    /// The library error for an error of the index at `path`.
    init(_ error: any Error, at path: String) {
        switch error {
        case let error as LibraryError:
            self = error
        case let error as FileError:
            self = .cannotWrite(path: path, reason: .system(error.code))
        case let error as DatabaseError:
            let words = error.message ?? error.resultCode.description
            switch error.resultCode {
            case .SQLITE_BUSY, .SQLITE_LOCKED: self = .locked(path)
            case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_SCHEMA, .SQLITE_CONSTRAINT:
                self = .corrupted(path: path, reason: .reported(words))
            case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH, .SQLITE_NOMEM:
                self = .cannotRead(path: path, reason: .index(words))
            case .SQLITE_READONLY, .SQLITE_FULL, .SQLITE_IOERR:
                self = .cannotWrite(path: path, reason: .index(words))
            default: self = .corrupted(path: path, reason: .reported(words))
            }
        default:
            // Any other error means that a row violates the schema.
            self = .corrupted(path: path, reason: IndexDamage(unreadable: error))
        }
    }
}

extension IndexDamage {
    /// A row that violates the schema.
    init(unreadable error: any Error) {
        guard case .dataCorrupted(let context) = error as? DecodingError else {
            self = .unreadableRow(IndexDamage.inOneLine("\(error)"))
            return
        }
        self = .unreadableRow(IndexDamage.inOneLine(context.debugDescription))
    }

    static func inOneLine(_ text: String) -> String {
        text.split(separator: "\n").joined(separator: " ")
    }
}
