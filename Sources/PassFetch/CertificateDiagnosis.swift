import Bytes
import CCurl
internal import Fetching

/// Finds out why a server's certificate was refused, on a second connection to the server, on which
/// no request is sent. libcurl does not show a certificate that it refuses.
final class CertificateDiagnosis {
    private let handle: CurlHandle
    private let loop: CurlLoop

    /// - Parameters:
    ///   - isForAnotherHost: Whether the chain is trusted, so that the host name is at fault.
    ///   - end: Called once with the reason.
    init?(
        _ route: Route, isForAnotherHost: Bool, _ client: Client,
        end: @escaping (CertificateFault) -> Void
    ) {
        guard let handle = route.makeHandle(client, AddressCheck(route)) else {
            return nil
        }
        self.handle = handle
        loop = client.loop
        handle.set(CURLOPT_CONNECT_ONLY, 1)
        handle.set(CURLOPT_SSL_VERIFYPEER, 0)
        handle.set(CURLOPT_SSL_VERIFYHOST, 0)
        // An established connection shows no certificate.
        handle.set(CURLOPT_FRESH_CONNECT, 1)
        handle.finish = { [unowned handle] _ in
            let chain = handle.certificates.map { PeerCertificate($0) }
            end(CertificateFault(chain, isForAnotherHost: isForAnotherHost, now: .now))
        }
    }

    func begin() { loop.add(handle) }

    func cancel() { loop.remove(handle) }
}

extension CertificateFault {
    /// The fault of a certificate that libcurl refused, from the server's chain.
    ///
    /// - Parameter isForAnotherHost: Whether the chain is trusted, so that the host name is at
    ///   fault.
    init(_ chain: [PeerCertificate], isForAnotherHost: Bool, now: HTTPDate) {
        guard let own = chain.first, let last = chain.last else {
            self = .untrusted
            return
        }
        if isForAnotherHost {
            let hosts = own.hosts
            self =
                hosts.isEmpty
                ? .namesNoHost
                : .forOtherHosts(Array(hosts.prefix(3)), more: max(hosts.count - 3, 0))
            return
        }
        for (index, certificate) in chain.enumerated() {
            if let end = certificate.end, end < now {
                self =
                    index == 0 ? .expired(end) : .issuerExpired(name: certificate.subject, end)
                return
            }
            if let start = certificate.start, start > now {
                self =
                    index == 0
                    ? .notYetValid(start) : .issuerNotYetValid(name: certificate.subject, start)
                return
            }
        }
        self = own.isSelfSigned ? .selfSigned : .unknownIssuer(name: last.issuer)
    }
}
