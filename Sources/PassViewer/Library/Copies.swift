internal import Foundation
internal import PassPresentation
internal import PassSession
internal import PassStore
internal import Platform
internal import Synchronization

/// Copies of passes for other programs. They outlive this program, because a receiver may open them
/// later.
final class Copies: Sendable {
    private let session: WindowSession
    private let folder = Mutex<CopyFolder?>(nil)

    /// Maximum number of passes given to another program at once. For more, the user can export.
    static let most = 100

    init(_ session: WindowSession) { self.session = session }

    /// The path of a copy that has a readable file name.
    func path(of octets: Data, _ version: StoredVersion, named name: String) throws -> String {
        let place = try place(for: version)
        let path = "\(place)/\(name)"
        if !FileManager.default.fileExists(atPath: path) {
            try DurableFile(path.utf8).write([UInt8](octets))
        }
        return path
    }

    /// The folder for one version. Creates the parent folder again if another program has deleted
    /// it.
    private func place(for version: StoredVersion) throws -> String {
        try folder.withLock { folder in
            if let made = folder, !FileManager.default.fileExists(atPath: made.path) {
                folder = nil
            }
            let made = try folder ?? session.copyFolder()
            folder = made
            let place = made.path + "/" + version.sha256.prefix(12)
            if !FileManager.default.fileExists(atPath: place) {
                try FileManager.default.createDirectory(
                    atPath: place, withIntermediateDirectories: false,
                    attributes: [.posixPermissions: 0o700])
            }
            return place
        }
    }

    func paths(of passes: [StoredPass]) throws -> [String] {
        let library = try session.library(for: .reading)
        return try passes.map { pass in
            try path(
                of: library.octets(of: pass.current), pass.current,
                named: fileName(named: pass.current.headline))
        }
    }
}
