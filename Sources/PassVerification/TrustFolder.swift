public import Foundation

/// The certificates that a person chose to trust: one folder, one PEM or DER file for each.
public struct TrustFolder: Sendable {
    /// One certificate in the folder.
    public struct Kept: Sendable, Hashable {
        /// The certificate, as one more anchor.
        public let anchor: TrustAnchor
        /// The name of the file that holds it.
        public let file: String
    }

    /// A file in the folder that holds no certificate, or cannot be read.
    public struct Unusable: Sendable, Hashable {
        /// The name of the file.
        public let file: String
        /// A lower-case clause without a full stop.
        public let reason: String
    }

    /// What the folder holds, in the order of the file names.
    public struct Contents: Sendable, Hashable {
        /// The certificates.
        public fileprivate(set) var kept: [Kept] = []
        /// The files that are of no use.
        public fileprivate(set) var unusable: [Unusable] = []
    }

    /// It need not exist: then it holds nothing.
    public let directory: URL

    /// The folder at this place, which is made when something is added.
    public init(_ directory: URL) {
        self.directory = directory
    }

    /// What the folder holds now. Files whose name begins with a dot are passed over.
    ///
    /// - Throws: ``TrustFolderError/folder(_:)`` when there is a folder and it cannot be read.
    public func contents() throws(TrustFolderError) -> Contents {
        var contents = Contents()
        for file in try files() {
            do throws(TrustAnchorError) {
                let anchors = try TrustAnchors(certificates: [try bytes(of: file)])
                contents.kept += anchors.all.map { Kept(anchor: $0, file: file) }
            } catch {
                contents.unusable.append(Unusable(file: file, reason: error.description))
            }
        }
        return contents
    }

    /// The anchors given, and those of the folder. Files that are of no use add none.
    ///
    /// - Throws: ``TrustFolderError/folder(_:)`` when there is a folder and it cannot be read.
    public func anchors(addedTo anchors: TrustAnchors = .apple) throws(TrustFolderError)
        -> TrustAnchors
    {
        try contents().kept.reduce(anchors) { $0.adding($1.anchor) }
    }

    /// Keeps the certificates of a PEM or DER file, each in a file of its own, and says which. One that
    /// is there already stays as it is.
    ///
    /// - Throws: ``TrustFolderError/certificate(_:)`` when the file holds none or is neither PEM nor
    ///   DER; ``TrustFolderError/folder(_:)`` when the folder cannot be read or written.
    public func add(_ certificates: [UInt8]) throws(TrustFolderError) -> [Kept] {
        let anchors: TrustAnchors
        do throws(TrustAnchorError) {
            anchors = try TrustAnchors(certificates: [certificates])
        } catch {
            throw .certificate(error)
        }
        let present = try contents().kept
        var kept: [Kept] = []
        for anchor in anchors.all {
            if let known = present.first(where: { $0.anchor == anchor }) {
                kept.append(known)
                continue
            }
            let file = "\(anchor.fingerprint.prefix(16)).pem"
            try write(anchor, to: file)
            kept.append(Kept(anchor: anchor, file: file))
        }
        return kept
    }

    /// Removes a certificate by the name of its file, or by the beginning of its fingerprint (four
    /// digits or more), and says what went.
    ///
    /// - Throws: ``TrustFolderError/unknown(_:)``, ``TrustFolderError/ambiguous(_:_:)`` or
    ///   ``TrustFolderError/shared(_:)`` when the word does not name one certificate alone;
    ///   ``TrustFolderError/folder(_:)`` when the folder cannot be read or changed.
    public func remove(_ word: String) throws(TrustFolderError) -> [Kept] {
        let kept = try contents().kept
        let named = kept.filter { $0.file == word }
        if !named.isEmpty {
            try removeFile(word)
            return named
        }
        let prefix = word.lowercased().filter { $0 != ":" }
        let found =
            prefix.count < 4 ? [] : kept.filter { $0.anchor.fingerprint.hasPrefix(prefix) }
        guard let first = found.first else { throw .unknown(word) }
        guard Set(found.map(\.anchor)).count == 1 else { throw .ambiguous(word, found.map(\.file)) }
        // Whoever put several certificates into one file did not mean to lose the others.
        for file in Set(found.map(\.file))
        where kept.contains(where: {
            $0.file == file && $0.anchor != first.anchor
        }) {
            throw .shared(file)
        }
        for file in Set(found.map(\.file)) { try removeFile(file) }
        return found
    }

    private func files() throws(TrustFolderError) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(
                atPath: directory.path(percentEncoded: false)
            ).filter { !$0.hasPrefix(".") }.sorted()
        } catch CocoaError.fileReadNoSuchFile {
            return []
        } catch {
            throw .folder(error.localizedDescription)
        }
    }

    /// No certificate is larger than 1 MiB.
    private func bytes(of file: String) throws(TrustAnchorError) -> [UInt8] {
        guard let handle = try? FileHandle(forReadingFrom: directory.appending(path: file)),
            let data = try? handle.read(upToCount: 1 << 20)
        else { throw .notACertificate }
        return Array(data)
    }

    private func write(_ anchor: TrustAnchor, to file: String) throws(TrustFolderError) {
        guard let pem = anchor.pem else { return }
        do {
            try FileManager.default.createDirectory(
                at: directory, withIntermediateDirectories: true)
            try Data(pem.utf8).write(to: directory.appending(path: file), options: .atomic)
        } catch {
            throw .folder(error.localizedDescription)
        }
    }

    private func removeFile(_ file: String) throws(TrustFolderError) {
        do {
            try FileManager.default.removeItem(at: directory.appending(path: file))
        } catch {
            throw .folder(error.localizedDescription)
        }
    }
}

/// Why the trust folder cannot be read or changed.
public enum TrustFolderError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The folder or a file in it; in the words of the system.
    case folder(String)
    /// What was to be added is no certificate.
    case certificate(TrustAnchorError)
    /// No certificate has such a fingerprint or lies in such a file.
    case unknown(String)
    /// More than one certificate has a fingerprint that begins so; in these files.
    case ambiguous(String, [String])
    /// The file holds other certificates too, and can only be removed by its name.
    case shared(String)

    /// A lower-case clause without a full stop.
    public var description: String {
        switch self {
        case .folder(let reason): reason
        case .certificate(let error): error.description
        case .unknown(let word): "no certificate is known as '\(word)'"
        case .ambiguous(let word, let files):
            "'\(word)' stands for more than one certificate: \(files.joined(separator: ", "))"
        case .shared(let file): "\(file) holds other certificates too: remove it by its name"
        }
    }
}
