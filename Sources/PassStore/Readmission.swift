internal import Foundation
internal import GRDB
internal import Glibc
internal import PassModel
internal import PassVerification
internal import Platform

/// Adds pass files that are missing in the index.
struct Readmission {
    private let files: FileStore
    /// Files of versions that the index contains in another packaging.
    private var copies: [String] = []

    init(_ files: FileStore) {
        self.files = files
    }

    /// Adds a pass file again; moves it to `damaged` if the verifier rejects it. Throws if it
    /// cannot be read, which may be temporary.
    ///
    /// - Returns: Whether the verifier accepts it.
    mutating func add(
        _ sha256: String, _ origins: [Origin], _ verify: (Data) -> VerifiedPass?, _ db: Database,
        salvaged: [PassIdentity: SalvagedPass] = [:]
    ) throws -> Bool {
        let path = files.path(of: sha256)
        let octets = try files.octetsIfAny(of: path)
        guard let verified = octets.flatMap(verify), verified.sha256 == sha256 else {
            try files.setAside(path)
            return false
        }
        var admittance = Admittance(db, files, salvaged: salvaged)
        for origin in origins.isEmpty ? [Origin(source: path)] : origins {
            _ = try admittance.admit(IncomingPass(pass: verified, origin: origin))
        }
        // A repackaged copy of a known version, left by an interrupted import.
        if !admittance.kept.contains(sha256) { copies.append(path) }
        return true
    }

    /// Deletes the redundant files, once the index is in place.
    mutating func removeCopies() throws(FileError) {
        for path in copies { try files.remove(path) }
        copies = []
    }
}

extension FileStore {
    /// The contents of a pass file; nil if it is a directory or a dangling link.
    fileprivate func octetsIfAny(of path: String) throws(LibraryError) -> Data? {
        do throws(FileError) {
            return Data(try read(path))
        } catch {
            if error.isAbsence || error.code == EISDIR { return nil }
            throw .cannotRead(path: path, reason: .system(error.code))
        }
    }
}
