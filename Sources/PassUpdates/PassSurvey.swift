import Archives
import Bytes
import PassModel
import PassStore
import PassVerification

/// What versions say of where newer ones are: read from their files once, and kept.
extension PassLibrary {
    /// Looks at all that nobody looked at. A file that cannot be read is told, and looked at again the
    /// next time.
    func survey(_ problem: (StoredPass, LibraryError) throws -> Void) throws {
        var last: Int64 = 0
        while true {
            let passes = try passesToLookAt(after: last, limit: 256)
            guard let end = passes.last?.id else { return }
            last = end
            try look(at: passes, problem)
        }
    }

    func look(
        at passes: [StoredPass], _ problem: (StoredPass, LibraryError) throws -> Void
    ) throws {
        var services: [(version: StoredVersion, service: WebService?)] = []
        for stored in passes {
            do throws(LibraryError) {
                let bytes = Array(try octets(of: stored.current))
                services.append((stored.current, pass(in: bytes).flatMap(WebService.init)))
            } catch {
                try problem(stored, error)
            }
        }
        try keep(services)
    }

    /// What is in the library was judged: only its pass.json is of interest.
    private func pass(in bytes: [UInt8]) -> Pass? {
        guard let archive = try? ZipArchive(Octets(bytes)) else { return nil }
        let folder = archive.topFolder(around: "pass.json").map { "\($0)/" } ?? ""
        guard let entry = archive.entry(named: "\(folder)pass.json") else { return nil }
        let limit = VerificationLimits().held
        guard let json = try? archive.octets(of: entry, limit: limit).array() else { return nil }
        return try? Pass(json: json)
    }
}
