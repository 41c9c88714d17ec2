import NIOSSL

/// The hosts that a certificate is valid for: its subject alternative names (RFC 5280, 4.2.1.6).
/// The common name is ignored (RFC 9525, 2).
struct CertificateNames: Sendable, Equatable {
    var names: [[UInt8]] = []
    var addresses: [[UInt8]] = []

    /// Whether the certificate is valid for a host (RFC 9525, 6.3 and 6.4): addresses match only
    /// addresses, names only names.
    ///
    /// - Parameter host: In lower case, without a trailing dot.
    func contain(_ host: String) -> Bool {
        if let address = HostAddress(numeric: host) { return addresses.contains(address.bytes) }
        let host = Array(host.utf8)
        return !host.isEmpty && names.contains { CertificateNames.matches($0, host) }
    }

    /// A wildcard matches exactly the first label, and only if at least two labels follow.
    /// VIOLATIONS.md, H18: underscores.
    private static func matches(_ name: [UInt8], _ host: [UInt8]) -> Bool {
        let dot = UInt8(ascii: ".")
        var (name, host) = (name[...], host[...])
        if name.starts(with: "*.".utf8) {
            name = name.dropFirst(2)
            guard name.contains(dot), let end = host.firstIndex(of: dot), end > host.startIndex
            else { return false }
            host = host[(end + 1)...]
        }
        return name.lazy.map(lowercased).elementsEqual(host.lazy.map(lowercased))
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
    }
}

extension CertificateNames {
    init(_ certificate: NIOSSLCertificate) {
        for name in certificate._subjectAlternativeNames() {
            switch name.nameType {
            case .dnsName: names.append(Array(name.contents))
            case .ipAddress: addresses.append(Array(name.contents))
            default: break
            }
        }
    }
}

/// A trusted certificate for other hosts.
struct ForAnotherHost: Error {
    let certificate: ShownCertificate
}
