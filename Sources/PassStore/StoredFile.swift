internal import Bytes
internal import Cryptography
public import Foundation
internal import GRDB
internal import Glibc
public import PassModel
internal import PassVerification
internal import Platform

extension PassLibrary {
    /// The file of a version, for programs that open files by name. Its contents are not verified;
    /// ``octets(of:)`` does that. If a better copy of the version takes its place, it is deleted a
    /// day later.
    ///
    /// ```swift
    /// print(library.file(of: version).path)
    /// ```
    public func file(of version: StoredVersion) -> URL {
        URL(fileURLWithPath: files.path(of: version.sha256))
    }

    /// The exact octets that were stored; or those of a better copy of the same version that took
    /// their place more than a day ago.
    ///
    /// ```swift
    /// try library.octets(of: version).write(to: url)
    /// ```
    ///
    /// - Throws: ``LibraryError/damagedPass(sha256:reason:)`` if the file is missing or was
    ///   changed.
    public func octets(of version: StoredVersion) throws(LibraryError) -> Data {
        Data(try bytes(of: version))
    }

    /// The complete pass of a version, read from its file.
    ///
    /// ```swift
    /// let pass = try library.contents(of: version)
    /// print(pass.barcode?.message ?? "")
    /// ```
    ///
    /// - Throws: ``LibraryError/damagedPass(sha256:reason:)`` if the file is missing or was
    ///   changed.
    public func contents(of version: StoredVersion) throws(LibraryError) -> Pass {
        try unjudged(version.sha256, bytes(of: version)).pass
    }

    /// The complete pass of the version with this SHA-256.
    package func contents(of sha256: String) throws(LibraryError) -> Pass {
        try unjudged(sha256, bytes(of: sha256)).pass
    }

    /// The current version of a pass in the best of the user's languages: its name, description
    /// and fields, as `PKPass.localizedName`, `localizedDescription` and
    /// `localizedValue(forFieldKey:)` are in the language of the phone.
    ///
    /// For an older version, use ``contents(of:)`` and `localized(for:)` of its result.
    ///
    /// ```swift
    /// let shown = try library.localized(stored, for: ["pt-BR", "en"])
    /// print(shown.localizedName, shown.localizedDescription)
    /// if let gate = shown.localizedValue(forFieldKey: "gate") { print(gate.description) }
    /// ```
    ///
    /// - Parameters:
    ///   - stored: The pass.
    ///   - preferredLanguages: Language tags (BCP 47), in order of preference. Texts that the pass
    ///     does not translate stay as they are.
    /// - Throws: ``LibraryError/damagedPass(sha256:reason:)`` if the file is missing or was
    ///   changed.
    public func localized(
        _ stored: StoredPass, for preferredLanguages: [String]
    ) throws(LibraryError) -> LocalizedPass {
        try contents(of: stored.current).localized(for: preferredLanguages)
    }

    /// An image of a version, as the octets of the file in the pass; nil if it has none that can be
    /// shown. `PKPass.icon` is PassKit's counterpart.
    ///
    /// The image is a PNG, or a JPEG that the issuer named so. Only its header was read: it may be
    /// damaged. It has at most 16,777,216 pixels and 16,384 on a side; larger ones, and files of
    /// more than 8 MiB (``/PassVerification/VerificationLimits/held``), count as missing.
    ///
    /// ```swift
    /// let icon = try library.image(.icon, of: version, scale: 2, preferredLanguages: ["pt-BR"])
    /// try icon?.write(to: url)
    /// ```
    ///
    /// - Parameters:
    ///   - name: Which image.
    ///   - version: The version of a pass, such as its ``StoredPass/current`` one.
    ///   - scale: The wanted scale, in pixels per point, from 1 to 3. If the pass does not have it,
    ///     the image is the next larger one, or else the largest.
    ///   - preferredLanguages: Language tags (BCP 47), in order of preference. Images for the best
    ///     language come first, then those for all languages, then those for other languages.
    /// - Throws: ``LibraryError/damagedPass(sha256:reason:)`` if the file of the pass is missing or
    ///   was changed.
    public func image(
        _ name: PassImageName, of version: StoredVersion, scale: Int = 1,
        preferredLanguages: [String] = []
    ) throws(LibraryError) -> Data? {
        let images = try unjudged(version.sha256, bytes(of: version)).images
            .images(name, scale: min(max(scale, 1), 3), languages: preferredLanguages)
        for image in images.prefix(PictureLimits.images) where image.isWithinLimits {
            return Data(image.bytes)
        }
        return nil
    }

    /// Reads a pass without verification, since the index contains the verdict.
    private func unjudged(
        _ sha256: String, _ bytes: [UInt8]
    ) throws(LibraryError) -> UnjudgedPass {
        guard let file = UnjudgedPass(SpooledBytes(bytes)) else {
            throw .damagedPass(sha256: sha256, reason: .unreadablePass)
        }
        return file
    }

    /// If the file of the version was replaced since it was looked up, reads the present one.
    private func bytes(of version: StoredVersion) throws(LibraryError) -> [UInt8] {
        do throws(LibraryError) {
            return try bytes(of: version.sha256)
        } catch {
            guard case .damagedPass(_, .gone) = error,
                let sha256 = try presentFile(of: version), !sha256.isExactly(version.sha256)
            else { throw error }
            return try bytes(of: sha256)
        }
    }

    /// The digest of the file that the index names for a version with these contents.
    private func presentFile(of version: StoredVersion) throws(LibraryError) -> String? {
        // The ID may have been given to another version.
        try read { db in
            try String.fetchOne(
                db,
                sql: """
                    SELECT sha256 FROM versions WHERE id = ? AND pass = ? AND manifestSHA256 = ?
                    """,
                arguments: [version.id, version.passID, version.manifestSHA256])
        }
    }

    private func bytes(of sha256: String) throws(LibraryError) -> [UInt8] {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try files.read(files.path(of: sha256))
        } catch {
            let isGone = error.code == ENOENT
            throw .damagedPass(
                sha256: sha256, reason: isGone ? .gone : .unreadableFile(error.code))
        }
        guard Digest.sha256(bytes) == sha256 else {
            throw .damagedPass(sha256: sha256, reason: .changed)
        }
        return bytes
    }
}

extension FileStore {
    func read(_ path: String) throws(FileError) -> [UInt8] {
        let descriptor = try FileDescriptor.open(path, O_RDONLY)
        defer { descriptor.close() }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            let got = try descriptor.read(into: &buffer)
            guard got > 0 else { return bytes }
            bytes += buffer[..<got]
        }
    }

    /// Copies a file; the copy is accessible only to the user.
    func copy(_ path: String, to new: String) throws(FileError) {
        let source = try FileDescriptor.open(path, O_RDONLY)
        defer { source.close() }
        let copy = try create(new)
        defer { copy.close() }
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            let got = try source.read(into: &buffer)
            guard got > 0 else { return }
            try copy.writeAll(buffer.span.extracting(0..<got))
        }
    }

    /// The SHA-256 of a file, in lower-case hexadecimal digits.
    func digest(of path: String) throws(FileError) -> String {
        let descriptor = try FileDescriptor.open(path, O_RDONLY)
        defer { descriptor.close() }
        return try Digest.sha256(descriptor).digest
    }
}

extension FileDescriptor {
    fileprivate func read(into buffer: inout [UInt8]) throws(FileError) -> Int {
        var result = Result<Int, FileError>.success(0)
        unsafe buffer.withUnsafeMutableBytes { space in
            result = Result { () throws(FileError) in try unsafe read(into: space) }
        }
        return try result.get()
    }
}
