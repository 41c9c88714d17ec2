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
        FetchFailure(.certificate(host: origin.description, fault(certificates ?? [], now)))
    }

    private func fault(_ certificates: [ShownCertificate], _ now: HTTPDate) -> CertificateFault {
        guard let own = certificates.first, let last = certificates.last else { return .untrusted }
        for certificate in certificates {
            let isOwn = certificate == own
            if certificate.end < now {
                return isOwn
                    ? .expired(certificate.end)
                    : .issuerExpired(name: certificate.subject, certificate.end)
            }
            if certificate.start > now {
                return isOwn
                    ? .notYetValid(certificate.start)
                    : .issuerNotYetValid(name: certificate.subject, certificate.start)
            }
        }
        return own.subject == own.issuer ? .selfSigned : .unknownIssuer(name: last.issuer)
    }
}

/// The displayed fields of a certificate.
struct ShownCertificate: Sendable, Equatable {
    /// Nil without a name.
    var subject: String?
    var issuer: String?
    var start: HTTPDate
    var end: HTTPDate
    /// The names and addresses it is valid for.
    var hosts: [String]

    /// The fault for a host that it is not valid for.
    var faultForOthers: CertificateFault {
        hosts.isEmpty
            ? .namesNoHost
            : .forOtherHosts(Array(hosts.prefix(3)), more: max(hosts.count - 3, 0))
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

    /// The common name, or else the organisation; nil without a name.
    private static func name(_ parts: [SSLCertificateName]) -> String? {
        for type in [SSLCertificateNameType.commonName, .organization, .organizationalUnit] {
            if let part = parts.last(where: { $0.type == type }), !part.value.isEmpty {
                return String(part.value.prefix(100))
            }
        }
        return nil
    }
}
