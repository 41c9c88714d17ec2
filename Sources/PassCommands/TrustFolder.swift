internal import Foundation
internal import PassVerification

/// The authorities that this person trusts beside Apple: a folder of certificates, which may also
/// be kept by hand.
struct TrustFolder {
    struct Root {
        /// What `trust list` calls it.
        let name: String
        let path: String
        let anchors: Result<TrustAnchors, Failure>
    }

    let folder: URL

    init(_ environment: Environment) {
        folder = URL(fileURLWithPath: environment.trustFolder, isDirectory: true)
    }

    /// In the order of their names; none where there is no folder.
    func roots() -> [Root] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { !$0.hasPrefix(".") }.sorted().map { name in
            let path = folder.appendingPathComponent(name).path
            return Root(name: name, path: path, anchors: TrustFolder.anchors(at: path))
        }
    }

    /// The certificates in a file.
    static func anchors(at path: String) -> Result<TrustAnchors, Failure> {
        Result { try TrustAnchors(certificates: [Array(contents(of: path))]) }
            .mapError { error in
                (error as? Failure) ?? .unreadable(path, reason: "\(error)")
            }
    }

    /// Keeps a copy of a file of certificates under its own name.
    func add(_ path: String) throws -> Root {
        let anchors = TrustFolder.anchors(at: path)
        _ = try anchors.get()
        let name = URL(fileURLWithPath: path).lastPathComponent
        let place = folder.appendingPathComponent(name)
        guard !name.hasPrefix("."), !FileManager.default.fileExists(atPath: place.path) else {
            throw Failure.usage("there is a trusted authority named \(name) already")
        }
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            try contents(of: path).write(to: place, options: .withoutOverwriting)
        } catch let error as Failure {
            throw error
        } catch {
            throw Failure.unwritable(place.path, reason: reason(error))
        }
        return Root(name: name, path: place.path, anchors: anchors)
    }

    func remove(_ name: String) throws {
        guard let root = roots().first(where: { $0.name == name }) else {
            throw Failure.usage("there is no trusted authority named \(name)")
        }
        do {
            try FileManager.default.removeItem(atPath: root.path)
        } catch {
            throw Failure.unwritable(root.path, reason: reason(error))
        }
    }
}

/// A file as it is, or a failure that names it.
func contents(of path: String) throws -> Data {
    do {
        return try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
        throw Failure.unreadable(path, reason: reason(error))
    }
}

/// The system's own words for what Foundation reports.
func reason(_ error: any Error) -> String {
    var error = error as NSError
    while error.domain != NSPOSIXErrorDomain,
        let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError
    {
        error = cause
    }
    guard error.domain == NSPOSIXErrorDomain else { return clause(error.localizedDescription) }
    return clause(unsafe String(cString: strerror(CInt(error.code))))
}
