internal import Fetching
import Foundation
import NIOSSL

extension TLSConfiguration {
    /// The system's certificate authorities, or the given ones. Loaded once and shared: each copy
    /// takes a megabyte. ``ConnectionCheck`` checks the host name.
    init(_ configuration: FetchConfiguration) {
        self = .makeClientConfiguration()
        minimumTLSVersion = .tlsv12
        certificateVerification = .noHostnameVerification
        let folders = configuration.authorityFolder?.split(separator: ":").map(String.init) ?? []
        let given = [configuration.authorities].compactMap(\.self) + folders
        // NIOSSL's default locations.
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
            // Let NIOSSL report the error when the file is used.
            trustRoots = .file(first)
        }
    }
}

/// The certificates of a file, or of the files in a folder named by `openssl rehash`, as OpenSSL
/// reads them.
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
