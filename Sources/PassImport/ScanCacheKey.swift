import Foundation
import PassDetection
import PassVerification

/// Everything other than the source that affects what is found and imported: if it changes, sources
/// are read again.
struct ScanCacheKey {
    /// A digest.
    let bytes: Data

    /// Incremented when the program finds more or judges differently, such as after a limit was
    /// changed.
    private static let form = 1

    init(_ options: ImportOptions) {
        var lines = ["form \(ScanCacheKey.form)", "program \(options.program)"]
        lines += options.verifier.anchors.all.map { "anchor \($0.fingerprint)" }.sorted()
        if let time = options.verifier.time { lines.append("time \(time.timeIntervalSince1970)") }
        lines += options.policy.accepted.map { "accepted \($0.rawValue)" }.sorted()
        lines += options.types.types.map { type in
            "type \(type.identifier) \(type.conformsTo) \(type.fileExtensions.sorted()) "
                + "\(type.mediaTypes.sorted())"
        }
        bytes = Data(Digest.sha256(Array(lines.joined(separator: "\n").utf8)).utf8)
    }
}
