internal import Archives
internal import Compression
internal import Cryptography
internal import PassVerification
internal import Synchronization

/// Makes the archives of passes that have files in common, which are hashed and compressed once.
final class PassPacker: Sendable {
    /// SHA-1 by path, in lower-case hexadecimal digits.
    private let hashes: [String: String]
    private let shared: [PackedFile]
    /// Those that no thread uses at the moment.
    private let deflaters = Mutex<[Deflater]>([])

    /// - Parameter files: The files that passes have in common.
    init(sharing files: [String: [UInt8]]) throws(SigningError) {
        hashes = files.mapValues { Digest.sha1($0) }
        guard let deflater = Deflater(level: level) else { throw .outOfMemory }
        shared = files.sorted { $0.key < $1.key }.map { packed($0.key, $0.value, deflater) }
        deflaters.withLock { $0.append(deflater) }
    }

    /// The archive of a pass. Several threads may call this at once.
    ///
    /// - Parameters:
    ///   - own: The files that other passes do not have; they replace shared ones of the same path.
    ///   - sign: Makes the signature over the manifest.
    func pack(
        _ own: [String: [UInt8]], sign: ([UInt8]) throws(SigningError) -> [UInt8]
    ) throws(SigningError) -> [UInt8] {
        let manifest = manifest(hashes.merging(own.mapValues { Digest.sha1($0) }) { $1 })
        let signature = try sign(manifest)
        guard let deflater = deflaters.withLock({ $0.popLast() }) ?? Deflater(level: level) else {
            throw .outOfMemory
        }
        defer { deflaters.withLock { $0.append(deflater) } }
        // pass.json first, so that a reader of the beginning recognises a pass.
        let names = own.keys.sorted { $1 != "pass.json" && ($0 == "pass.json" || $0 < $1) }
        var files = names.map { packed($0, own[$0] ?? [], deflater) }
        files.append(deflater.packed("manifest.json", manifest))
        files.append(PackedFile("signature", storing: signature))
        files += shared.filter { own[$0.name] == nil }
        do throws(ZipError) {
            var writer = ZipWriter(capacity: files.reduce(0) { $0 + $1.capacity })
            for file in files { try writer.add(file) }
            return try writer.finish()
        } catch {
            if case .file = error { throw .outOfMemory }
            throw .notTrusted([.archive(ArchiveFault(error))])
        }
    }
}

/// The effort of compression. A higher level makes a pass.json smaller by a twentieth and takes
/// four times as long.
private let level = 1

/// Images are compressed already.
private func packed(_ name: String, _ bytes: [UInt8], _ deflater: Deflater) -> PackedFile {
    name.hasSuffix(".png") ? PackedFile(name, storing: bytes) : deflater.packed(name, bytes)
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
