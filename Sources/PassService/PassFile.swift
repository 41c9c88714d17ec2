internal import Bytes
internal import PassModel
internal import PassVerification
internal import Platform

/// A trusted pass that devices can ask for.
struct PassFile: Sendable {
    let identity: PassIdentity
    let octets: [UInt8]
    /// In lower-case hexadecimal digits.
    let sha256: String
    /// The SHA-256 of the authentication token.
    let token: [UInt8]
    let isVoided: Bool

    /// - Throws: ``ServiceError/notTrusted(_:_:)``, ``ServiceError/noToken(_:)``, or
    ///   ``ServiceError/cannotRead(path:code:)``.
    init(_ pass: VerifiedPass) throws(ServiceError) {
        identity = pass.pass.identity
        guard pass.verdict == .trusted else { throw .notTrusted(identity, pass.verdict) }
        guard let token = pass.pass.tokenDigest else { throw .noToken(identity) }
        self.token = token
        sha256 = pass.sha256
        isVoided = pass.pass.isVoided
        do throws(FileError) {
            octets = try pass.octets.array()
        } catch {
            throw .cannotRead(path: identity.description, code: error.code)
        }
    }
}
