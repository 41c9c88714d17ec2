import Archives
import Bytes
import Foundation
import PassVerification

/// A trusted sample pass in which one file is replaced.
struct SamplePass {
    static let shared = SamplePass(Samples.bytes("passes/trusted/generic-tram-small.pkpass"))
    static let anchors: TrustAnchors = {
        guard
            let anchors = try? TrustAnchors(
                certificates: [Samples.bytes("authority/root.pem")])
        else { stop("the root of the samples is no certificate") }
        return anchors
    }()

    let bytes: [UInt8]
    let files: [String: [UInt8]]

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
        guard let archive = try? ZipArchive(SpooledBytes(bytes)) else {
            stop("the sample is no archive")
        }
        var files: [String: [UInt8]] = [:]
        for entry in archive.entries {
            guard let octets = try? archive.octets(of: entry) else { stop("no \(entry.name)") }
            files[entry.name] = octets.bytes
        }
        self.files = files
    }

    /// The pass with one file replaced.
    func with(_ bytes: [UInt8], as name: String) -> [UInt8] {
        var files = files
        files[name] = bytes
        return storedZip(files.sorted { $0.key < $1.key })
    }
}

/// The samples in the working directory.
private enum Samples {
    static func bytes(_ path: String) -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: "Samples/\(path)") else {
            stop("there is no Samples/\(path): run this where Samples is")
        }
        return Array(data)
    }
}

/// A ZIP archive without compression.
private func storedZip(_ files: [(key: String, value: [UInt8])]) -> [UInt8] {
    var archive: [UInt8] = []
    var directory: [UInt8] = []
    for (name, bytes) in files {
        // APPNOTE 4.3.7: from the version to the lengths; same in the directory (4.3.12).
        let common: [UInt8] =
            two(20) + two(0) + two(0) + two(0) + two(0x21) + four(Int(checksum(bytes)))
            + four(bytes.count) + four(bytes.count) + two(name.utf8.count) + two(0)
        directory += four(0x0201_4b50) + two(20) + common
        directory += two(0) + two(0) + two(0) + four(0) + four(archive.count) + Array(name.utf8)
        archive += four(0x0403_4b50) + common + Array(name.utf8) + bytes
    }
    let end =
        four(0x0605_4b50) + two(0) + two(0) + two(files.count) + two(files.count)
        + four(directory.count) + four(archive.count) + two(0)
    return archive + directory + end
}

private func two(_ number: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
}

private func four(_ number: Int) -> [UInt8] { two(number) + two(number >> 16) }

/// CRC-32.
private func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~0) { sum, byte in
        (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in
            sum >> 1 ^ (sum & 1 == 1 ? 0xEDB8_8320 : 0)
        }
    }
}
