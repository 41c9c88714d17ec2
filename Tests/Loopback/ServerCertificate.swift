import Foundation
import NIOSSL
import PassFixtures

/// The kinds of certificate that a server presents.
package struct ServerCertificate: Sendable {
    package enum Kind: Sendable, CaseIterable {
        case good, forAnotherHost, expired, notYetValid, selfSigned
        /// Issued by an authority with our authority's name and another key.
        case byStranger
    }

    package let kind: Kind
    /// The files of the certificate and its key.
    package let path: String
    package let keyPath: String
    /// Whether clients are asked for a certificate.
    package var asksForClientCertificate = false
    let chain: [NIOSSLCertificate]
    let key: NIOSSLPrivateKey

    /// A certificate for this computer's loopback addresses and these names.
    package init(_ kind: Kind = .good, names: [String] = []) throws {
        let hosts = ["DNS:localhost", "IP:127.0.0.1", "IP:::1"] + names.map { "DNS:\($0)" }
        try self.init(kind, for: kind == .forAnotherHost ? ["DNS:other.example"] : hosts)
    }

    /// A certificate for hosts in openssl's form: `DNS:localhost`, `IP:127.0.0.1`.
    package init(
        _ kind: Kind = .good, for hosts: [String], commonName: String = "Server on Loopback"
    ) throws {
        self.kind = kind
        let issuer: ServerAuthority.Issuer =
            switch kind {
            case .byStranger: .stranger
            case .selfSigned: .itself
            default: .authority
            }
        let from: String? =
            switch kind {
            case .expired: "-60d"
            case .notYetValid: "+60d"
            default: nil
            }
        let files = try ServerAuthority.certificate(
            hosts: hosts, commonName: commonName, by: issuer, from: from)
        (path, keyPath) = (files.path, files.keyPath)
        chain = try NIOSSLCertificate.fromPEMFile(path)
        key = try NIOSSLPrivateKey(file: keyPath, format: .pem)
    }

    var configuration: TLSConfiguration {
        get throws {
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
            configuration.applicationProtocols = ["http/1.1"]
            if asksForClientCertificate {
                configuration.certificateVerification = .noHostnameVerification
                configuration.trustRoots = .certificates(chain)
            }
            return configuration
        }
    }
}
