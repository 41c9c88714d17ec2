import Bytes
public import Foundation
internal import Glibc
internal import PassModel
package import Platform

/// The certificates that the user trusts: a folder of PEM or DER files.
///
/// A file whose certificates vouch only for some pass types has a list of patterns beside it, one
/// per line: `my-ca.pem` and `my-ca.pem.for`. See ``PassTypePattern``. A list that cannot be read
/// makes its certificates unusable. A list applies to the keys of its certificates: a renewed
/// certificate of the same key without a list vouches for the same pass types.
///
/// ```swift
/// let folder = TrustFolder(url)
/// let verifier = PassVerifier(anchors: try folder.anchors())
/// ```
public struct TrustFolder: Sendable {
    /// A certificate in the folder.
    ///
    /// For example: `let files = Set(try TrustFolder(url).contents().kept.map(\.file))`
    public struct Kept: Sendable, Hashable {
        /// The certificate as an anchor.
        public let anchor: TrustAnchor
        /// The file name.
        public let file: String
    }

    /// A file without a certificate or patterns, or unreadable.
    ///
    /// ```swift
    /// let unusable = try TrustFolder(url).contents().unusable
    /// for file in unusable { print(file.file, file.error) }
    /// ```
    public struct Unusable: Sendable, Hashable {
        /// The file name.
        public let file: String
        /// The reason.
        public let error: TrustAnchorError
        /// Why the file cannot be read now; nil if its content is the reason.
        package var fault: FileError?
    }

    /// The contents of the folder, in the order of file names.
    ///
    /// ```swift
    /// let contents = try TrustFolder(url).contents()
    /// print("\(contents.kept.count) certificates, \(contents.unusable.count) unusable files")
    /// ```
    public struct Contents: Sendable, Hashable {
        /// The certificates.
        public fileprivate(set) var kept: [Kept] = []
        /// The unusable files.
        public fileprivate(set) var unusable: [Unusable] = []

        /// These anchors and those of the folder.
        package func anchors(addedTo anchors: TrustAnchors = .apple) -> TrustAnchors {
            kept.reduce(anchors) { $0.adding($1.anchor) }
        }
    }

    /// The folder; a missing one counts as empty.
    public let directory: URL

    /// The folder at this location; it is created when a certificate is added.
    ///
    /// ```swift
    /// let home = FileManager.default.homeDirectoryForCurrentUser
    /// let folder = TrustFolder(home.appending(path: ".config/passconduit/trust"))
    /// ```
    public init(_ directory: URL) {
        self.directory = directory
    }

    /// Reads the folder. Files whose names begin with a dot are ignored.
    ///
    /// For example: `let names = try TrustFolder(url).contents().kept.map(\.anchor.name)`
    ///
    /// - Throws: ``TrustFolderError/folder(_:)`` if the folder exists but cannot be read.
    public func contents() throws(TrustFolderError) -> Contents {
        var contents = Contents()
        let entries = try entries()
        let limited = entries.filter(\.isLimited)
        for entry in entries {
            do throws(TrustAnchorError) {
                let anchors = try entry.anchors.get()
                let patterns = try entry.patterns.get()
                for anchor in anchors {
                    // A copy of a certificate, such as an editor's backup, does not lift its limits.
                    if patterns == nil, limited.contains(where: { $0.contains(anchor) }) {
                        continue
                    }
                    let applying = patterns ?? limits(of: anchor, in: limited)
                    contents.kept.append(
                        Kept(anchor: anchor.vouching(onlyFor: applying), file: entry.file))
                }
            } catch {
                contents.unusable.append(
                    Unusable(file: entry.fileInError, error: error, fault: entry.fault))
            }
        }
        return contents
    }

    /// The pass types for which another certificate of the same key vouches; nil if it has no limits.
    private func limits(of anchor: TrustAnchor, in limited: [Entry]) -> [PassTypePattern]? {
        let sameKey = limited.filter { entry in
            entry.isLimited && entry.certificates.contains { $0.hasKey(of: anchor) }
        }
        guard !sameKey.isEmpty else { return nil }
        return sameKey.flatMap { (try? $0.patterns.get()) ?? [] }
    }

    /// The given anchors and those of the folder. Unusable files are ignored.
    ///
    /// ```swift
    /// let none = try TrustAnchors(certificates: [])
    /// let own = try TrustFolder(url).anchors(addedTo: none)
    /// ```
    ///
    /// - Throws: ``TrustFolderError/folder(_:)`` if the folder exists but cannot be read.
    public func anchors(addedTo anchors: TrustAnchors = .apple) throws(TrustFolderError)
        -> TrustAnchors
    {
        try contents().anchors(addedTo: anchors)
    }

    /// Adds the certificates of a PEM or DER file, each as a file of its own, and returns them.
    /// Those that the folder contains already stay in their files, and vouch for these pass types
    /// from now on.
    ///
    /// ```swift
    /// let certificate = try [UInt8](Data(contentsOf: url.appending(path: "my-ca.pem")))
    /// let patterns = [try PassTypePattern("pass.com.example.*")]
    /// let added = try TrustFolder(url).add(certificate, for: patterns)
    /// ```
    ///
    /// - Parameters:
    ///   - certificates: The bytes of a PEM or DER file.
    ///   - passTypes: The pass types that they vouch for; nil for all.
    /// - Throws: ``TrustFolderError/certificate(_:)`` if the file contains none;
    ///   ``TrustFolderError/shared(_:)`` if the pass types would also apply to other certificates;
    ///   ``TrustFolderError/folder(_:)`` if the folder cannot be read or written.
    public func add(
        _ certificates: [UInt8], for passTypes: [PassTypePattern]? = nil
    ) throws(TrustFolderError) -> [Kept] {
        let anchors: TrustAnchors
        do throws(TrustAnchorError) {
            anchors = try TrustAnchors(certificates: [certificates])
        } catch {
            throw .certificate(error)
        }
        let present = try entries()
        // Before the first change.
        for anchor in anchors.all {
            for entry in present
            where entry.contains(anchor) && entry.patterns != .success(passTypes)
                && !entry.certificates.allSatisfy({ $0 == anchor })
            {
                throw .shared(entry.file)
            }
        }
        var kept: [Kept] = []
        for anchor in anchors.all {
            let known = present.filter { $0.contains(anchor) }
            // The limits of a renewed certificate remain when the old one is removed.
            let passTypes = passTypes ?? (known.isEmpty ? limits(of: anchor, in: present) : nil)
            for entry in known where entry.patterns != .success(passTypes) {
                try write(passTypes, of: entry)
            }
            let file = known.first?.file ?? "\(anchor.fingerprint.prefix(16)).pem"
            if known.isEmpty {
                // Patterns first: if this process is killed, no certificate is left without them.
                try write(passTypes, to: TrustFolder.patternFile(of: file))
                try write(anchor, to: file)
            }
            kept.append(Kept(anchor: anchor.vouching(onlyFor: passTypes), file: file))
        }
        return kept
    }

    /// Removes a certificate by its file name, or by the beginning of its fingerprint (at least
    /// four digits), and returns what was removed.
    ///
    /// For example: `let removed = try TrustFolder(url).remove("5a17c0ffee")`
    ///
    /// - Throws: ``TrustFolderError/unknown(_:)``, ``TrustFolderError/ambiguous(_:_:)`` or
    ///   ``TrustFolderError/shared(_:)`` if `word` does not identify a single certificate;
    ///   ``TrustFolderError/folder(_:)`` if the folder cannot be read or changed.
    public func remove(_ word: String) throws(TrustFolderError) -> [Kept] {
        let present = try entries()
        let entries = present.filter { !$0.certificates.isEmpty }
        if let named = entries.first(where: { word.isExactly($0.file) }) {
            return try remove([named], from: present)
        }
        let prefix = word.asciiLowercased.filter { $0 != ":" }
        let found =
            prefix.count < 4
            ? []
            : entries.filter { entry in
                entry.certificates.contains { $0.fingerprint.hasPrefix(prefix) }
            }
        let meant = Set(found.flatMap(\.certificates).filter { $0.fingerprint.hasPrefix(prefix) })
        guard let anchor = meant.first else { throw .unknown(word) }
        guard meant.count == 1 else { throw .ambiguous(word, found.map(\.file)) }
        // Do not remove other certificates in the same file.
        for entry in found where !entry.certificates.allSatisfy({ $0 == anchor }) {
            throw .shared(entry.file)
        }
        return try remove(found, from: present)
    }

    private func remove(
        _ entries: [Entry], from present: [Entry]
    ) throws(TrustFolderError) -> [Kept] {
        var removed: [Kept] = []
        for entry in entries {
            // A renewed certificate of the same key keeps the limits.
            for other in present where !other.isLimited && other.file != entry.file {
                let found = other.certificates.lazy.compactMap { limits(of: $0, in: [entry]) }
                if let limits = found.first { try write(limits, of: other) }
            }
            try removeFile(entry.file)
            // Patterns last: if this process is killed, no certificate is left without them.
            try write(nil, of: entry)
            let patterns = try? entry.patterns.get()
            removed += entry.certificates.map {
                Kept(anchor: $0.vouching(onlyFor: patterns), file: entry.file)
            }
        }
        return removed
    }

    /// A file of the folder, with the patterns beside it.
    private struct Entry {
        let file: String
        /// Without the patterns.
        let anchors: Result<[TrustAnchor], TrustAnchorError>
        /// Nil if the certificates vouch for all pass types.
        let patterns: Result<[PassTypePattern]?, TrustAnchorError>
        /// Why the file in error cannot be read.
        var fault: FileError?

        var certificates: [TrustAnchor] { (try? anchors.get()) ?? [] }

        func contains(_ anchor: TrustAnchor) -> Bool {
            certificates.contains { $0.isSame(as: anchor) }
        }

        /// The files with patterns; more than one make the entry unusable.
        let patternFiles: [String]

        /// Whether the certificates vouch for some pass types only, or for none.
        var isLimited: Bool { patterns != .success(nil) }

        /// The file that makes the entry unusable.
        var fileInError: String {
            if case .success = anchors { patternFiles.last ?? file } else { file }
        }
    }

    private func entries() throws(TrustFolderError) -> [Entry] {
        let files = try files()
        let names = Set(files.map(ExactText.init(_:)))
        var entries: [Entry] = []
        for file in files {
            if let certificate = TrustFolder.file(withPatterns: file) {
                guard !names.contains(ExactText(certificate)) else { continue }
                entries.append(
                    Entry(
                        file: file, anchors: .failure(.noCertificateForPatterns),
                        patterns: .success(nil), patternFiles: []))
                continue
            }
            // Patterns are read first. If another process adds or removes the certificate now, it
            // is not read without them.
            var (patternFault, fault): (FileError?, FileError?)
            let lists = files.filter { TrustFolder.file(withPatterns: $0)?.isExactly(file) == true }
            var patterns = Result<[PassTypePattern]?, TrustAnchorError>.success(nil)
            if let list = lists.first { patterns = self.patterns(in: list, &patternFault) }
            if lists.count > 1 { patterns = .failure(.notPatterns) }
            let bytes = bytes(of: file, &fault)
            let anchors = Result { () throws(TrustAnchorError) in
                try TrustAnchors(certificates: [bytes ?? []]).all
            }
            if case .success = anchors { fault = patternFault }
            entries.append(
                Entry(
                    file: file, anchors: anchors, patterns: patterns, fault: fault,
                    patternFiles: lists))
        }
        return entries
    }

    private static func patternFile(of file: String) -> String { file + ".for" }

    /// The file to which a file of patterns applies, in whatever case its name ends; nil for other
    /// files.
    private static func file(withPatterns file: String) -> String? {
        let ending = file.utf8.suffix(4)
        guard ending.map(\.asciiLowercased).elementsEqual(".for".utf8) else { return nil }
        return String(file.utf8.dropLast(4))
    }

    private func patterns(
        in file: String, _ fault: inout FileError?
    ) -> Result<[PassTypePattern]?, TrustAnchorError> {
        guard let bytes = bytes(of: file, &fault),
            bytes.count < TrustFolder.limit
        else { return .failure(.notPatterns) }
        let lines = String(streamSafe: bytes).split(whereSeparator: \.isNewline)
        guard !lines.isEmpty else { return .failure(.notPatterns) }
        do {
            return .success(try lines.map { line in try PassTypePattern(String(line)) })
        } catch {
            return .failure(.notPatterns)
        }
    }

    /// Writes the patterns of an entry, in one file; nil removes them.
    private func write(_ patterns: [PassTypePattern]?, of entry: Entry) throws(TrustFolderError) {
        let files = entry.patternFiles
        try write(patterns, to: files.first ?? TrustFolder.patternFile(of: entry.file))
        for file in files.dropFirst() { try write(nil, to: file) }
    }

    /// Writes a file of patterns; nil removes it.
    private func write(
        _ patterns: [PassTypePattern]?, to file: String
    ) throws(TrustFolderError) {
        let file = self.file(file)
        do throws(FileError) {
            guard let patterns else {
                do throws(FileError) {
                    return try file.remove()
                } catch {
                    if error.code == ENOENT { return }
                    throw error
                }
            }
            try DurableFile.makeFolder(path.utf8, mode: 0o777)
            try file.write(Array(patterns.map { "\($0)\n" }.joined().utf8))
        } catch {
            throw TrustFolderError(patterns == nil ? .remove : .write, error)
        }
    }

    private func files() throws(TrustFolderError) -> [String] {
        do throws(FileError) {
            return try FileDescriptor.names(in: path).filter { !$0.hasPrefix(".") }.sorted()
        } catch {
            if error.code == ENOENT { return [] }
            throw TrustFolderError(.read, error)
        }
    }

    /// The maximum number of bytes read from a file.
    private static let limit = 1 << 20

    /// The beginning of a file; nil if it cannot be read or is not a regular file.
    ///
    /// - Parameter fault: Why it cannot be read. A file that was just removed has no fault.
    private func bytes(of file: String, _ fault: inout FileError?) -> [UInt8]? {
        let path = directory.appending(path: file).path(percentEncoded: false)
        var status = stat()
        if unsafe stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG { return nil }
        do throws(FileError) {
            // A FIFO would block.
            let file = try FileDescriptor.open(path, O_RDONLY | O_NONBLOCK)
            defer { file.close() }
            return try ByteSource(stream: file, prefix: []).prefix(TrustFolder.limit)
        } catch {
            let isGone = unsafe error.code == ENOENT && lstat(path, &status) != 0
            if !isGone { fault = error }
            return nil
        }
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
///
/// ```swift
/// do {
///     _ = try TrustFolder(url).remove("my-ca.pem")
/// } catch TrustFolderError.unknown(let word) { print("no certificate \(word)") }
/// ```
public enum TrustFolderError: Error, Sendable, Hashable {
    /// The folder or a file in it cannot be read or changed.
    case folder(FolderFault)
    /// The file to be added contains no certificate.
    case certificate(TrustAnchorError)
    /// No certificate has this fingerprint or file name.
    case unknown(String)
    /// Several certificates have this fingerprint prefix, in these files.
    case ambiguous(String, [String])
    /// The file contains other certificates too, so it can only be removed by its name, and its pass
    /// types cannot be changed.
    case shared(String)

    fileprivate init(_ operation: FileError.Operation, _ error: FileError) {
        self = .folder(FolderFault(FileError(operation, error.code)))
    }
}

/// The error of a system call on a file, which PassPresentation describes. The payload of
/// ``TrustFolderError/folder(_:)``.
public struct FolderFault: Sendable, Hashable {
    package let error: FileError

    package init(_ error: FileError) {
        self.error = error
    }
}
