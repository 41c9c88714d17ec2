package import Archives
package import Bytes
internal import Cryptography
public import Foundation
package import Platform

/// Verifies passes as Wallet does, with configurable anchors, limits and time.
///
/// ```swift
/// let verification = try PassVerifier().verify(contentsOf: url)
/// print(verification.verdict, verification.pass?.organizationName ?? "-")
/// ```
public struct PassVerifier: Sendable {
    /// The trust anchors.
    public let anchors: TrustAnchors
    /// The limits for one pass.
    public let limits: VerificationLimits
    /// The time at which the certificates must be valid; nil for the signing time.
    public let time: Date?
    private let store: AnchorStore

    /// Creates a verifier.
    ///
    /// ```swift
    /// let inspection = Date(timeIntervalSince1970: 1_717_243_500)
    /// let verifier = PassVerifier(anchors: anchors, at: inspection)
    /// ```
    ///
    /// - Parameters:
    ///   - anchors: The trust anchors.
    ///   - limits: The limits for one pass.
    ///   - time: The time at which the certificates must be valid; nil for the signing time.
    public init(
        anchors: TrustAnchors = .apple, limits: VerificationLimits = VerificationLimits(),
        at time: Date? = nil
    ) {
        self.anchors = anchors
        self.limits = limits
        self.time = time
        store = AnchorStore(anchors)
    }

    /// Verifies the bytes of a pass file. In PassKit, `PKPass(data:)` throws an error for a pass
    /// that it does not trust; here, the verdict and its reasons are the result.
    ///
    /// For example: `let verdict = verifier.verify([UInt8](try Data(contentsOf: url))).verdict`
    public func verify(_ bytes: [UInt8]) -> Verification {
        verify(SpooledBytes(bytes))
    }

    /// Verifies the octets of a pass file, with all checks in order.
    package func verify(_ octets: SpooledBytes) -> Verification {
        let limits = limits.zip
        return verify(
            octets,
            Result { () throws(ZipError) in try ZipArchive(octets, limits: limits) })
    }

    /// Verifies a pass file that is open already.
    package func verify(_ archive: ZipArchive) -> Verification {
        let limits = limits.zip
        return verify(
            archive.file,
            Result { () throws(ZipError) in
                try archive.limit(to: limits)
                return archive
            })
    }

    private func verify(
        _ file: SpooledBytes, _ archive: Result<ZipArchive, ZipError>
    ) -> Verification {
        // Bytes before and after the archive are not the pass's own.
        let octets = (try? archive.get())?.octets ?? file
        let sha256: String
        do throws(FileError) {
            // A sparse file may be larger than any disk.
            sha256 = octets.count > limits.archive ? "" : try Digest.sha256(octets)
        } catch {
            return Judgement(.archive(ArchiveFault(.file(error)))).verification(
                of: octets, sha256: "")
        }
        var judgement = Judgement()
        if let files = judgement.readArchive(archive, limits) {
            judgement.readPass(files)
            let manifest = judgement.readManifest(files, limits)
            let signature = judgement.readSignature(files, limits, store.known)
            judgement.compare(files, with: manifest, limits)
            if let signature, let content = files.manifest {
                judgement.judge(signature, over: content, at: time, by: store)
            }
        }
        return judgement.verification(of: octets, sha256: sha256)
    }
}

extension PassVerifier {
    /// Verifies a pass file.
    ///
    /// For example: `let isTrusted = try verifier.verify(contentsOf: url).verdict == .trusted`
    ///
    /// - Throws: ``UnreadableFile`` if the file does not exist or cannot be read. A file that is
    ///   not a pass has the verdict malformed instead.
    public func verify(contentsOf url: URL) throws(UnreadableFile) -> Verification {
        do throws(FileError) {
            let file = try FileDescriptor.open(url.path(percentEncoded: false), O_RDONLY)
            defer { file.close() }
            guard let size = file.regularSize, size > limits.archive else {
                return verify(try contents(of: file))
            }
            return Judgement(.archive(ArchiveFault(.archiveTooLarge(limit: limits.archive))))
                .verification(of: SpooledBytes([]), sha256: "", size: size)
        } catch {
            throw UnreadableFile(path: url.path(percentEncoded: false), error: error)
        }
    }

    /// Reads until the limit is exceeded.
    private func contents(of file: FileDescriptor) throws(FileError) -> SpooledBytes {
        var writer = OctetsWriter()
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        while writer.count <= limits.archive {
            let got = try file.read(into: &buffer)
            guard got > 0 else { break }
            try writer.append(buffer.span.extracting(0..<got))
        }
        return try writer.finish()
    }
}

extension FileDescriptor {
    /// The size of a regular file; nil for others.
    fileprivate var regularSize: Int? {
        var status = stat()
        guard unsafe fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        return Int(status.st_size)
    }
}

/// A file that could not be read.
///
/// ```swift
/// do {
///     print(try verifier.verify(contentsOf: url).verdict)
/// } catch { print("cannot read \(error.path)") }
/// ```
public struct UnreadableFile: Error, Sendable, Hashable {
    /// The path as given.
    public let path: String
    package let error: FileError
}
