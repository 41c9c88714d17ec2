internal import Bytes
internal import Foundation
internal import PassDrawing
internal import PassModel
internal import PassPresentation
internal import PassStore
internal import PassUpdates
internal import PassVerification

/// A pass of the library with all that the pane shows, read in the background.
struct StoredDetail: Sendable {
    let stored: StoredPass
    /// The version that is shown.
    let version: StoredVersion
    let octets: Data
    /// Verified now: the user may trust other authorities than at the import.
    let verification: Verification
    let pass: Pass
    let face: PassFace
    let history: [PastVersion]
    /// Whether the issuer can be asked for newer versions.
    let isUpdatable: Bool

    /// - Parameters:
    ///   - version: An older version; nil for the current one.
    ///   - now: Decides whether the face shows the pass as expired.
    init(
        _ stored: StoredPass, _ version: StoredVersion? = nil, in session: WindowSession,
        now: Date = .now
    ) throws {
        let library = try session.library(for: .reading)
        let version = version ?? stored.current
        self.stored = stored
        self.version = version
        octets = try library.octets(of: version)
        verification = session.verification(of: octets)
        guard let pass = verification.pass else {
            throw LibraryError.damagedPass(
                sha256: version.sha256, reason: .unreadablePass)
        }
        self.pass = pass
        face = session.face(of: pass, SpooledBytes(Array(octets)), at: now)
        history = try session.history(of: stored, in: library)
        // The web services of other passes are not authenticated.
        isUpdatable = stored.current.verdict == .trusted && WebService(pass) != nil
    }

    /// Whether this is an older version.
    var isOld: Bool { version.sha256 != stored.current.sha256 }

    /// The name of an exported file.
    var fileName: String { StoredDetail.fileName(stored, version) }

    /// An older version gets a different name than the current one.
    static func fileName(_ stored: StoredPass, _ version: StoredVersion) -> String {
        let isOld = version.sha256 != stored.current.sha256
        let mark = isOld ? "-\(version.sha256.prefix(8))" : ""
        return PassPresentation.fileName(named: version.headline, mark: mark)
    }
}
