internal import Archives
internal import Compression

extension PassBundle {
    /// The number of passes that Wallet takes at once (Apple, "Distributing and updating a pass").
    public static let passLimit = 10
    /// The size that Wallet takes, in bytes (ibid.).
    public static let sizeLimit = 150_000_000

    /// Packs passes into one file (`.pkpasses`), which Wallet adds together.
    ///
    /// For example: `try PassBundle.archive(of: ["outbound": first, "return": second])`
    ///
    /// - Parameter passes: The passes by name, without an ending; they are in the order of names.
    /// - Returns: The bytes of the file.
    /// - Throws: ``PassBundleError``.
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
public enum PassBundleError: Error, Sendable, Hashable {
    /// More than this number of passes.
    case tooManyPasses(limit: Int)
    /// More than this number of bytes.
    case tooLarge(limit: Int)
    /// There is not enough memory.
    case outOfMemory
}
