import PassModel
import PassStore

/// The web services of versions, read from their files once and stored.
extension PassLibrary {
    /// Reads the versions not examined yet. Unreadable files are reported, and examined again next
    /// time.
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
                let pass = try contents(of: stored.current)
                services.append((stored.current, WebService(pass)))
            } catch {
                try problem(stored, error)
            }
        }
        try keep(services)
    }
}
