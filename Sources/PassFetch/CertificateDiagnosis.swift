import Bytes
internal import Fetching
import NIOCore
import NIOPosix
import NIOSSL

/// Finds out why a server's certificate was refused, on a second connection to the same address, on
/// which nothing is sent. The first connection does not reveal it.
struct CertificateDiagnosis: Sendable {
    let origin: Origin

    /// The certificate chain of the server, its own first; nil if the handshake fails earlier.
    func certificates(
        at address: HostAddress, within limit: TimeAmount, on loop: any EventLoop
    ) async -> [ShownCertificate]? {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        configuration.trustRoots = .certificates([])
        guard let context = try? NIOSSLContext(configuration: configuration),
            let place = try? SocketAddress(ipAddress: address.description, port: origin.port)
        else { return nil }
        // An address is not a valid server name (RFC 6066, 3).
        let name = HostAddress(numeric: origin.host) == nil ? origin.host : nil
        let shown = loop.makePromise(of: [ShownCertificate].self)
        let timer = loop.scheduleTask(in: limit) { shown.fail(ChannelError.connectTimeout(limit)) }
        ClientBootstrap(group: loop).connectTimeout(limit)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler = try NIOSSLClientHandler(context: context, serverHostname: name) {
                        chain, verdict in
                        shown.succeed(chain.map(ShownCertificate.init))
                        verdict.succeed(NIOSSLVerificationResult.failed)
                    }
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
            .connect(to: place)
            .whenComplete { result in
                switch result {
                case .failure(let error): shown.fail(error)
                case .success(let channel):
                    channel.closeFuture.whenComplete { _ in shown.fail(ChannelError.eof) }
                    shown.futureResult.whenComplete { _ in channel.close(promise: nil) }
                }
            }
        let certificates = try? await shown.futureResult.get()
        timer.cancel()
        return certificates
    }

    func failure(_ certificates: [ShownCertificate]?, now: HTTPDate) -> FetchFailure {
        FetchFailure(.tls, "the certificate of \(origin) \(reason(certificates ?? [], now))")
    }

    private func reason(_ certificates: [ShownCertificate], _ now: HTTPDate) -> String {
        guard let own = certificates.first, let last = certificates.last else {
            return "is not one that this computer trusts"
        }
        for certificate in certificates {
            let isOwn = certificate == own
            let which = isOwn ? "" : "depends on that of \(certificate.subject), which "
            if certificate.end < now { return "\(which)ended on \(certificate.end.day)" }
            if certificate.start > now { return "\(which)begins only on \(certificate.start.day)" }
        }
        if own.subject == own.issuer { return "is signed by itself alone" }
        return "is signed by \(last.issuer), which this computer does not trust"
    }
}

/// The displayed fields of a certificate.
struct ShownCertificate: Sendable, Equatable {
    var subject: String
    var issuer: String
    var start: HTTPDate
    var end: HTTPDate
    /// The names and addresses it is valid for.
    var hosts: [String]

    /// A clause that names its hosts. The common name does not count (RFC 9525, 2).
    var whom: String {
        guard !hosts.isEmpty else {
            return "names no host but in its common name, which does not count"
        }
        let more = hosts.count > 3 ? " and \(hosts.count - 3) more" : ""
        return "is for " + hosts.prefix(3).joined(separator: ", ") + more
    }
}

extension ShownCertificate {
    init(_ certificate: NIOSSLCertificate) {
        subject = ShownCertificate.name(certificate.subjectName)
        issuer = ShownCertificate.name(certificate.issuerName)
        start = HTTPDate(seconds: certificate.notValidBefore)
        end = HTTPDate(seconds: certificate.notValidAfter)
        let names = CertificateNames(certificate)
        hosts =
            names.names.map { String(streamSafe: $0.prefix(253)) }
            + names.addresses.filter { $0.count == 4 || $0.count == 16 }
            .map { HostAddress($0).description }
    }

    /// The common name, or else the organisation.
    private static func name(_ parts: [SSLCertificateName]) -> String {
        for type in [SSLCertificateNameType.commonName, .organization, .organizationalUnit] {
            if let part = parts.last(where: { $0.type == type }), !part.value.isEmpty {
                return String(part.value.prefix(100))
            }
        }
        return "somebody without a name"
    }
}
