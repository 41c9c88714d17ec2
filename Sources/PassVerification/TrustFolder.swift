import Bytes
public import Foundation
internal import Glibc
package import Platform

/// The certificates that the user trusts: a folder of PEM or DER files.
public struct TrustFolder: Sendable {
    /// A certificate in the folder.
    public struct Kept: Sendable, Hashable {
        /// The certificate as an anchor.
        public let anchor: TrustAnchor
        /// The file name.
        public let file: String
    }

    /// A file without a certificate, or unreadable.
    public struct Unusable: Sendable, Hashable {
        /// The file name.
        public let file: String
        /// The reason.
        public let error: TrustAnchorError
    }

    /// The contents of the folder, in the order of file names.
    public struct Contents: Sendable, Hashable {
        /// The certificates.
        public fileprivate(set) var kept: [Kept] = []
        /// The unusable files.
        public fileprivate(set) var unusable: [Unusable] = []
    }

    /// The folder; a missing one counts as empty.
    public let directory: URL

    /// The folder at this location; it is created when a certificate is added.
    public init(_ directory: URL) {
        self.directory = directory
    }

    /// Reads the folder. Files whose names begin with a dot are ignored.
    ///
    /// - Throws: ``TrustFolderError/folder(_:)`` if the folder exists but cannot be read.
    public func contents() throws(TrustFolderError) -> Contents {
        var contents = Contents()
        for file in try files() {
            do throws(TrustAnchorError) {
                let anchors = try TrustAnchors(certificates: [try bytes(of: file)])
                contents.kept += anchors.all.map { Kept(anchor: $0, file: file) }
            } catch {
                contents.unusable.append(Unusable(file: file, error: error))
            }
        }
        return contents
    }

    /// The given anchors and those of the folder. Unusable files are ignored.
    ///
    /// - Throws: ``TrustFolderError/folder(_:)`` if the folder exists but cannot be read.
    public func anchors(addedTo anchors: TrustAnchors = .apple) throws(TrustFolderError)
        -> TrustAnchors
    {
        try contents().kept.reduce(anchors) { $0.adding($1.anchor) }
    }

    /// Adds the certificates of a PEM or DER file, each as a file of its own, and returns them.
    /// Existing ones are unchanged.
    ///
    /// - Throws: ``TrustFolderError/certificate(_:)`` if the file contains none;
    ///   ``TrustFolderError/folder(_:)`` if the folder cannot be read or written.
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

    /// Removes a certificate by its file name, or by the beginning of its fingerprint (at least
    /// four digits), and returns what was removed.
    ///
    /// - Throws: ``TrustFolderError/unknown(_:)``, ``TrustFolderError/ambiguous(_:_:)`` or
    ///   ``TrustFolderError/shared(_:)`` if `word` does not identify a single certificate;
    ///   ``TrustFolderError/folder(_:)`` if the folder cannot be read or changed.
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
        // Do not remove other certificates in the same file.
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
        do throws(FileError) {
            return try FileDescriptor.names(in: path).filter { !$0.hasPrefix(".") }.sorted()
        } catch {
            if error.code == ENOENT { return [] }
            throw TrustFolderError(.read, error)
        }
    }

    /// At most 1 MiB is read.
    private func bytes(of file: String) throws(TrustAnchorError) -> [UInt8] {
        guard let handle = try? FileHandle(forReadingFrom: directory.appending(path: file)),
            let data = try? handle.read(upToCount: 1 << 20)
        else { throw .notACertificate }
        return Array(data)
    }

    private func write(_ anchor: TrustAnchor, to file: String) throws(TrustFolderError) {
        guard let pem = anchor.pem else { return }
        do throws(FileError) {
            try DurableFile.makeFolder(path.utf8, mode: 0o777)
            try self.file(file).write(Array(pem.utf8))
        } catch {
            throw TrustFolderError(.write, error)
        }
    }

    private func removeFile(_ file: String) throws(TrustFolderError) {
        do throws(FileError) {
            try self.file(file).remove()
        } catch {
            throw TrustFolderError(.remove, error)
        }
    }

    private var path: String { directory.path(percentEncoded: false) }

    private func file(_ name: String) -> DurableFile {
        DurableFile(directory.appending(path: name).path(percentEncoded: false).utf8)
    }
}

/// An error of the trust folder.
public enum TrustFolderError: Error, Sendable, Hashable {
    /// The folder or a file in it cannot be read or changed.
    case folder(FolderFault)
    /// The file to be added contains no certificate.
    case certificate(TrustAnchorError)
    /// No certificate has this fingerprint or file name.
    case unknown(String)
    /// Several certificates have this fingerprint prefix, in these files.
    case ambiguous(String, [String])
    /// The file contains other certificates too, and can only be removed by its name.
    case shared(String)

    fileprivate init(_ operation: FileError.Operation, _ error: FileError) {
        self = .folder(FolderFault(FileError(operation, error.code)))
    }
}

/// The error of a system call on a file, which PassPresentation describes.
public struct FolderFault: Sendable, Hashable {
    package let error: FileError

    package init(_ error: FileError) {
        self.error = error
    }
}
