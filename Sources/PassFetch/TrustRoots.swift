internal import Fetching
import Foundation
import NIOSSL

extension TLSConfiguration {
    /// The system's authorities, or those that are given. They are read once and shared by all that use
    /// this: each would else have a megabyte of its own. Whom a certificate is for is judged by ``ConnectionCheck``.
    init(_ configuration: FetchConfiguration) {
        self = .makeClientConfiguration()
        minimumTLSVersion = .tlsv12
        certificateVerification = .noHostnameVerification
        let folders = configuration.authorityFolder?.split(separator: ":").map(String.init) ?? []
        let given = [configuration.authorities].compactMap(\.self) + folders
        // Where NIOSSL looks by itself.
        let known = ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt"]
        let certificates =
            if given.isEmpty {
                known.lazy.map(authorities(at:)).first { !$0.isEmpty } ?? []
            } else {
                given.flatMap(authorities(at:))
            }
        if !certificates.isEmpty {
            trustRoots = .certificates(certificates)
        } else if let first = given.first {
            // It is said what is wrong with it as soon as it is needed.
            trustRoots = .file(first)
        }
    }
}

/// Those of a file, or of the files in a folder that are named as `openssl rehash` names them: no others
/// are looked for by programs of OpenSSL.
private func authorities(at path: String) -> [NIOSSLCertificate] {
    if let all = try? NIOSSLCertificate.fromPEMFile(path) { return all }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.filter(isHash).sorted().flatMap { name in
        (try? NIOSSLCertificate.fromPEMFile("\(path)/\(name)")) ?? []
    }
}

private func isHash(_ name: String) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 2 && parts[0].utf8.count == 8 && parts[0].allSatisfy(\.isHexDigit)
        && Int(parts[1]) != nil
}
