package import Foundation

/// The result of building a certificate chain.
package enum CertificateChain: Equatable {
    /// The chain leads to the anchor with this index in the store.
    case anchored(Int)
    case failed([ChainFailure])
}

/// Why a chain leads to no anchor.
package enum ChainFailure: Hashable {
    /// There was not enough memory.
    case outOfMemory
    /// The chain ends without an anchor.
    case noAnchor
    /// A certificate was not valid at the time.
    case notValid(name: String, from: Date, to: Date, at: Date)
    /// The issuer of a certificate is unknown.
    case noPath(certificate: String, issuer: String)
    /// A certificate is signed with a broken digest.
    case weakDigest(certificate: String)
    /// The key of an intermediate certificate is one that Wallet does not accept, such as one on
    /// another curve.
    case unusualKey(certificate: String, key: String)
    /// OpenSSL's reason, with the name of the certificate if it concerns one.
    case openSSL(reason: String, certificate: String?)
}
