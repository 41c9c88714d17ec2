internal import Archives
internal import Cryptography
internal import PassVerification

/// Makes the archives of passes that have files in common, which are hashed and compressed once.
struct PassPacker: Sendable {
    /// SHA-1 by path, in lower-case hexadecimal digits.
    private let hashes: [String: String]
    /// Nil without files.
    private let packed: PackedFiles?

    /// - Parameter shared: The files that passes have in common.
    init(sharing shared: [String: [UInt8]]) throws(ZipError) {
        hashes = shared.mapValues { Digest.sha1($0) }
        guard !shared.isEmpty else {
            packed = nil
            return
        }
        let names = shared.keys.sorted()
        let writer = try ZipWriter()
        for name in names { try writer.add(name, shared[name] ?? [], level: level(for: name)) }
        packed = try PackedFiles(writer.finish(), names: names)
    }

    /// The archive of a pass.
    ///
    /// - Parameters:
    ///   - own: The files that other passes do not have; they replace shared ones of the same path.
    ///   - sign: Makes the signature over the manifest.
    func pack(
        _ own: [String: [UInt8]], sign: ([UInt8]) throws(SigningError) -> [UInt8]
    ) throws(SigningError) -> [UInt8] {
        let manifest = manifest(hashes.merging(own.mapValues { Digest.sha1($0) }) { $1 })
        let signature = try sign(manifest)
        do throws(ZipError) {
            let writer = try ZipWriter()
            // pass.json first, so that a reader of the beginning recognises a pass.
            let names = own.keys.sorted { $1 != "pass.json" && ($0 == "pass.json" || $0 < $1) }
            for name in names { try writer.add(name, own[name] ?? [], level: level(for: name)) }
            try writer.add("manifest.json", manifest, level: 1)
            try writer.add("signature", signature, level: nil)
            if let packed { writer.add(packed) { own[$0] == nil } }
            return try writer.finish()
        } catch {
            if case .file = error { throw .outOfMemory }
            throw .notTrusted([.archive(ArchiveFault(error))])
        }
    }
}

/// The effort of compression. Images are compressed already; a higher level makes a pass.json
/// smaller by a twentieth and takes four times as long.
private func level(for name: String) -> Int? {
    name.hasSuffix(".png") ? nil : 1
}

/// manifest.json: an object with the SHA-1 of each file, in the order of their paths.
private func manifest(_ hashes: [String: String]) -> [UInt8] {
    var text: [UInt8] = [UInt8(ascii: "{")]
    for (index, path) in hashes.keys.sorted().enumerated() {
        text += (index == 0 ? "\n  \"" : ",\n  \"").utf8
        // Only these two of the characters in paths need an escape (RFC 8259, 7).
        for byte in path.utf8 {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                text.append(UInt8(ascii: "\\"))
            }
            text.append(byte)
        }
        text += "\": \"\(hashes[path] ?? "")\"".utf8
    }
    text += "\n}\n".utf8
    return text
}
