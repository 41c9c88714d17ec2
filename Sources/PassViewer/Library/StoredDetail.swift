internal import Bytes
internal import Foundation
internal import PassCommands
internal import PassDrawing
internal import PassModel
internal import PassStore
internal import PassVerification

/// A pass of the library with all that is shown of it, read in the background.
struct StoredDetail: Sendable {
    let stored: StoredPass
    let octets: Data
    /// Of today: whom a person trusts may have changed since the import.
    let verification: Verification
    let pass: Pass
    let face: PassFace
    let history: [PastVersion]

    init(_ stored: StoredPass, in session: WindowSession) throws {
        let library = try session.library(for: .reading)
        self.stored = stored
        octets = try library.octets(of: stored.current)
        verification = session.verification(of: octets)
        guard let pass = verification.pass else {
            throw LibraryError.damagedPass(
                sha256: stored.current.sha256, reason: "cannot be read as a pass any more")
        }
        self.pass = pass
        face = session.face(of: pass, Octets(Array(octets)))
        history = try session.history(of: stored, in: library)
    }

    /// For a file of it elsewhere.
    var fileName: String { PassCommands.fileName(stored.serialNumber) }
}
