internal import Archives
internal import Bytes
public import PassVerification

/// A pass file (.pkpass) whose contents are to be linted.
///
/// ```swift
/// let packed = try PackedPass([UInt8](Data(contentsOf: url)))
/// print(PassLint(packed).findings.count)
/// ```
public struct PackedPass: Sendable {
    /// The files without manifest.json and signature; empty if the archive cannot be read.
    public let folder: PassFolder
    /// The result of verifying the pass.
    public let verification: Verification
    /// The certificates in its signature; nil if there is none.
    let certificates: SigningCertificates?

    /// Verifies and unpacks a pass file.
    ///
    /// ```swift
    /// let bytes = try [UInt8](Data(contentsOf: url))
    /// let verdict = PackedPass(bytes, verifier: verifier).verification.verdict
    /// ```
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the file.
    ///   - verifier: With the trust anchors and limits.
    public init(_ bytes: [UInt8], verifier: PassVerifier = PassVerifier()) {
        verification = verifier.verify(bytes)
        let files = (try? unpacked(bytes, verifier.limits)) ?? [:]
        certificates = files["signature"].flatMap(SigningCertificates.init(signature:))
        folder = PassFolder(files)
    }
}

/// The files of an archive, without its top-level folder.
private func unpacked(
    _ bytes: [UInt8], _ limits: VerificationLimits
) throws(ZipError) -> [String: [UInt8]] {
    let archive = try ZipArchive(SpooledBytes(bytes), limits: limits.zip)
    _ = try archive.refuseUnsafe()
    let folder = archive.topFolder(around: "pass.json").map { "\($0)/" } ?? ""
    var files: [String: [UInt8]] = [:]
    for entry in archive.entries where !entry.isDirectory {
        var bytes: [UInt8] = []
        try archive.read(entry) { piece in
            unsafe piece.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
            return true
        }
        let name = entry.name.utf8
        let path = name.starts(with: folder.utf8) ? name.dropFirst(folder.utf8.count) : name[...]
        files[String(Substring(path))] = bytes
    }
    return files
}
