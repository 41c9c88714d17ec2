import Foundation
import NIOSSL

/// What a server shows of itself.
package struct ServerCertificate: Sendable {
    package enum Kind: Sendable, CaseIterable {
        case good, forAnotherHost, expired, notYetValid, selfSigned
        /// Of an authority with the name of ours and another key.
        case byStranger
    }

    package let kind: Kind
    let chain: [NIOSSLCertificate]
    let key: NIOSSLPrivateKey

    /// A certificate for this computer's loopback addresses and these names.
    package init(_ kind: Kind = .good, names: [String] = []) throws {
        self.kind = kind
        let authority = try ServerAuthority.shared.get()
        let paths = try authority.make(kind, names: names)
        chain = try NIOSSLCertificate.fromPEMFile(paths.certificate)
        key = try NIOSSLPrivateKey(file: paths.key, format: .pem)
    }

    var configuration: TLSConfiguration {
        get throws {
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
            configuration.applicationProtocols = ["http/1.1"]
            return configuration
        }
    }
}
