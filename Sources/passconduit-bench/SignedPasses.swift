import Foundation

/// The passes that a work signs.
struct SignedPasses {
    private let corpus: URL

    init(in corpus: URL) {
        self.corpus = corpus
    }

    /// The folder for passes that are written.
    var folder: String { corpus.appendingPathComponent("signed").path }

    /// The file for one of the passes.
    var sample: String { corpus.appendingPathComponent("sample.pkpass").path }

    /// Checks the hashes in the manifest of the sample, and its signature with the openssl program.
    func verifySample(against root: String, unpackedBy unpack: String) throws {
        let unpacked = corpus.appendingPathComponent("unpacked")
        _ = try Child(["/usr/bin/python3", unpack, sample, unpacked.path], in: corpus)
        _ = try Child(
            [
                "openssl", "cms", "-verify", "-binary", "-purpose", "any", "-CAfile", root,
                "-inform", "DER", "-in", unpacked.appendingPathComponent("signature").path,
                "-content", unpacked.appendingPathComponent("manifest.json").path,
                "-out", "/dev/null",
            ], in: corpus)
        try FileManager.default.removeItem(atPath: sample)
    }
}
