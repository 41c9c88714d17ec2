internal import Archives
internal import Bytes
internal import Compression
public import PassVerification

/// A bundle of passes (.pkpasses), which Wallet adds together.
///
/// ```swift
/// if let bundle = try PassBundle([UInt8](Data(contentsOf: url))) {
///     for (name, bytes) in bundle.passes { print(name, verifier.verify(bytes).verdict) }
/// }
/// ```
public struct PassBundle: Sendable {
    /// The number of passes that Wallet takes at once (Apple, "Distributing and updating a pass").
    public static let passLimit = 10
    /// The size that Wallet takes at once, in bytes (ibid.).
    public static let sizeLimit = 150_000_000

    /// The passes by name, in the order of the archive.
    public let passes: [(name: String, bytes: [UInt8])]
    /// The size of the bundle, in bytes.
    public let size: Int

    /// Reads a bundle. Nil if the bytes are not a ZIP archive, or contain no pass file but perhaps
    /// a pass.
    ///
    /// For example: `let count = PassBundle([UInt8](try Data(contentsOf: url)))?.passes.count ?? 0`
    public init?(_ bytes: [UInt8], limits: VerificationLimits = VerificationLimits()) {
        guard let archive = try? ZipArchive(SpooledBytes(bytes), limits: limits.zip),
            !archive.contains("pass.json"), (try? archive.refuseUnsafe()) != nil
        else { return nil }
        var passes: [(name: String, bytes: [UInt8])] = []
        for entry in archive.entries
        where !entry.isDirectory && entry.name.asciiLowercased.hasSuffix(".pkpass")
            && !entry.isOfMac
        {
            guard let octets = try? archive.octets(of: entry, limit: limits.archive),
                let bytes = try? octets.array()
            else { continue }
            passes.append((entry.name, bytes))
        }
        guard !passes.isEmpty else { return nil }
        self.passes = passes
        size = bytes.count
    }

    /// What Wallet refuses: too many passes, or too many bytes.
    public var findings: [LintFinding] {
        var findings: [LintFinding] = []
        if passes.count > Self.passLimit {
            let fault = LintFault.tooManyPasses(count: passes.count, limit: Self.passLimit)
            findings.append(LintFinding(fault, in: ""))
        }
        if size > Self.sizeLimit {
            let fault = LintFault.tooLarge(bytes: size, limit: Self.sizeLimit)
            findings.append(LintFinding(fault, in: ""))
        }
        return findings
    }

    /// Packs passes into one file (`.pkpasses`), which Wallet adds together.
    ///
    /// For example: `try PassBundle.archive(of: ["outbound": signer.sign(folder)])`
    ///
    /// - Parameter passes: The passes by name, without an ending; they are in the order of names.
    /// - Returns: The bytes of the file.
    /// - Throws: ``PassBundleError`` if there are more passes than ``passLimit``, or more bytes
    ///   than ``sizeLimit``.
    public static func archive(
        of passes: [String: SignedPass]
    ) throws(PassBundleError) -> [UInt8] {
        guard passes.count <= passLimit else { throw .tooManyPasses(limit: passLimit) }
        let bytes: [UInt8]
        do throws(ZipError) {
            var writer = ZipWriter()
            for (name, pass) in passes.sorted(by: { $0.key < $1.key }) {
                // A pass is compressed already.
                try writer.add(PackedFile("\(name).pkpass", storing: pass.bytes))
            }
            bytes = try writer.finish()
        } catch {
            throw .outOfMemory
        }
        guard bytes.count <= sizeLimit else { throw .tooLarge(limit: sizeLimit) }
        return bytes
    }
}

/// Why passes cannot be in one bundle.
///
/// ```swift
/// do {
///     _ = try PassBundle.archive(of: ["return": signer.sign(folder)])
/// } catch PassBundleError.tooLarge(let limit) { print("larger than \(limit) bytes") }
/// ```
public enum PassBundleError: Error, Sendable, Hashable {
    /// More than this number of passes.
    case tooManyPasses(limit: Int)
    /// More than this number of bytes.
    case tooLarge(limit: Int)
    /// There is not enough memory.
    case outOfMemory
}
