internal import Foundation
internal import GRDB
internal import Glibc
internal import PassModel
internal import PassVerification
internal import Platform

/// Adds pass files that are missing in the index.
struct Readmission {
    private let files: FileStore
    /// One time for all: none of these versions is news.
    private let arrival = Date.now

    init(_ files: FileStore) {
        self.files = files
    }

    /// Adds a pass file again; moves it to `damaged` if the verifier rejects it. Throws if it
    /// cannot be read, which may be temporary.
    ///
    /// - Returns: `unchanged` for a copy of a version that the index contains; nil if the verifier
    ///   rejects it.
    func add(
        _ sha256: String, _ verify: (Data) -> VerifiedPass?, _ db: Database,
        _ salvage: Salvage? = nil
    ) throws -> Admission? {
        let path = files.path(of: sha256)
        let octets = try files.octetsIfAny(of: path)
        guard let verified = octets.flatMap(verify), verified.sha256 == sha256 else {
            try files.setAside(path)
            return nil
        }
        var admittance = Admittance(
            db, files, arrival: arrival, salvaged: salvage?.passes ?? [:])
        return try admittance.admit(
            verified, from: salvage?.origins[sha256] ?? [], like: salvage?.versions[sha256]
        ).admission
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
