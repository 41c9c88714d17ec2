internal import Bytes
internal import CCrypto
public import Foundation

extension PassLibrary {
    /// Where the file of a version lies, for programs that open files by name. What it holds is as
    /// it was stored unless somebody changed it: ``octets(of:)`` looks.
    public func file(of version: StoredVersion) -> URL {
        URL(fileURLWithPath: files.path(of: version.sha256))
    }

    /// The exact octets that were stored.
    ///
    /// - Throws: ``LibraryError/damagedPass(sha256:reason:)`` if they are gone or were changed.
    public func octets(of version: StoredVersion) throws(LibraryError) -> Data {
        let path = files.path(of: version.sha256)
        do {
            let octets = try Data(contentsOf: URL(fileURLWithPath: path))
            guard SHA256Digest.hexadecimal(Array(octets)) == version.sha256 else {
                throw LibraryError.damagedPass(sha256: version.sha256, reason: "was changed")
            }
            return octets
        } catch let error as LibraryError {
            throw error
        } catch {
            let reason = files.exists(path) ? "cannot be read" : "is gone"
            throw .damagedPass(sha256: version.sha256, reason: reason)
        }
    }
}

extension FileStore {
    /// The SHA-256 of a file, in lower-case hexadecimal digits.
    func digest(of path: String) throws -> String {
        SHA256Digest.hexadecimal(Array(try Data(contentsOf: URL(fileURLWithPath: path))))
    }
}

enum SHA256Digest {
    static func hexadecimal(_ octets: [UInt8]) -> String {
        var digest = [UInt8](repeating: 0, count: 32)
        var length: UInt32 = 0
        _ = unsafe EVP_Digest(octets, octets.count, &digest, &length, EVP_sha256(), nil)
        return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
