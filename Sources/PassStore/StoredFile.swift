internal import Bytes
internal import Cryptography
public import Foundation
internal import Glibc
public import PassModel
internal import PassVerification
internal import Platform

extension PassLibrary {
    /// The file of a version, for programs that open files by name. Its contents are not verified;
    /// ``octets(of:)`` does that.
    public func file(of version: StoredVersion) -> URL {
        URL(fileURLWithPath: files.path(of: version.sha256))
    }

    /// The exact octets that were stored.
    ///
    /// - Throws: ``LibraryError/damagedPass(sha256:reason:)`` if the file is missing or was
    ///   changed.
    public func octets(of version: StoredVersion) throws(LibraryError) -> Data {
        Data(try bytes(of: version.sha256))
    }

    /// The complete pass of a version, read from its file.
    ///
    /// - Throws: ``LibraryError/damagedPass(sha256:reason:)`` if the file is missing or was
    ///   changed.
    public func contents(of version: StoredVersion) throws(LibraryError) -> Pass {
        try contents(of: version.sha256)
    }

    /// The complete pass of the version with this SHA-256.
    package func contents(of sha256: String) throws(LibraryError) -> Pass {
        // Without verification, since the index contains the verdict.
        guard let file = UnjudgedPass(SpooledBytes(try bytes(of: sha256))) else {
            throw .damagedPass(sha256: sha256, reason: .unreadablePass)
        }
        return file.pass
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
