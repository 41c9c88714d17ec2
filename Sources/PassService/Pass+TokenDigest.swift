internal import Cryptography
internal import PassModel

extension Pass {
    /// The SHA-256 of the authentication token; nil if the token is missing or too short: "the
    /// authentication token … must be 16 characters or longer" (Apple, Pass.json).
    var tokenDigest: [UInt8]? {
        guard let token = authenticationToken, token.unicodeScalars.count >= 16 else { return nil }
        return Digest.sha256Bytes(Array(token.utf8))
    }
}
