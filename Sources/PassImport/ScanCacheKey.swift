import Cryptography
import Foundation
import PassDetection
import PassVerification

/// A digest of everything other than the source that affects which passes are found and imported.
/// If it changes, sources are reread.
struct ScanCacheKey {
    let bytes: Data

    /// Increment when the program finds more or judges differently, for example after changing a
    /// limit.
    private static let form = 3

    init(_ options: ImportOptions) {
        var lines = ["form \(ScanCacheKey.form)", "program \(options.program)"]
        lines += options.verifier.anchors.all.map { anchor in
            let types = anchor.passTypes.map { " for \($0.map(\.description).sorted())" } ?? ""
            return "anchor \(anchor.fingerprint)\(types)"
        }.sorted()
        if let time = options.verifier.time { lines.append("time \(time.timeIntervalSince1970)") }
        lines += options.policy.accepted.map { "accepted \($0.rawValue)" }.sorted()
        lines += options.types.types.map { type in
            "type \(type.identifier) \(type.conformsTo) \(type.fileExtensions.sorted()) "
                + "\(type.mediaTypes.sorted())"
        }
        bytes = Data(Digest.sha256(Array(lines.joined(separator: "\n").utf8)).utf8)
    }
}
