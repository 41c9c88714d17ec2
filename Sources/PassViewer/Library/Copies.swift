internal import Foundation
internal import PassCommands
internal import PassStore

/// Copies of passes for other programs, in a folder that is there as long as this.
@MainActor
final class Copies {
    private let session: WindowSession
    private var folder: CopyFolder?

    init(_ session: WindowSession) { self.session = session }

    /// The path of a copy under a name that tells what it is.
    func path(of detail: StoredDetail) throws -> String {
        let folder = try folder ?? session.copyFolder()
        self.folder = folder
        let place = folder.path + "/" + detail.stored.current.sha256.prefix(12)
        try FileManager.default.createDirectory(
            atPath: place, withIntermediateDirectories: true)
        let path = "\(place)/\(detail.fileName)"
        try detail.octets.write(to: URL(fileURLWithPath: path))
        return path
    }

    func remove() {
        folder?.remove()
        folder = nil
    }
}
