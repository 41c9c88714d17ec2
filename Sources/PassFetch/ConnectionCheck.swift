import NIOCore
import NIOSSL
import Synchronization

/// Judges each connection of a route before anything is sent on it.
final class ConnectionCheck: Sendable {
    private let route: Route
    private let passed = Atomic(0)

    init(to route: Route) {
        self.route = route
    }

    /// Whether connections come by here at all: no response is read of a client that leaves that out.
    var hasPassed: Bool { passed.load(ordering: .relaxed) > 0 }

    /// Takes a connection that is secure, if it is to be, and leads through its proxy, if there is one.
    ///
    /// It is judged at once: AsyncHTTPClient does not expect that it ends meanwhile.
    func judge(_ channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            do {
                try checkAddress(of: channel)
                try checkCertificate(of: channel)
                try channel.readMuch()
            } catch {
                channel.eventLoop.execute { channel.close(promise: nil) }
                throw error
            }
            passed.add(1, ordering: .relaxed)
        }
    }

    /// Whether this is the address that was judged.
    private func checkAddress(of channel: any Channel) throws(Astray) {
        guard route.proxy == nil, let address = route.address else { return }
        guard channel.remoteAddress?.ipAddress.flatMap({ HostAddress(numeric: $0) }) == address
        else { throw Astray() }
    }

    /// NIOSSL judges the chain. It would compare the certificate's addresses with that of the connection,
    /// under whatever name the server was asked for, and also where that is the proxy's.
    private func checkCertificate(of channel: any Channel) throws {
        guard route.isSecure else { return }
        guard let certificate = try channel.pipeline.syncOperations.nioSSL_peerCertificate() else {
            throw Unjudged()
        }
        guard CertificateNames(certificate).contain(route.host) else {
            throw ForAnotherHost(certificate: ShownCertificate(certificate))
        }
    }
}

/// A connection leads to another address than it was made to.
struct Astray: Error {}

/// Nobody looked at who is at the other end of a connection.
struct Unjudged: Error {}

extension Channel {
    /// A large body takes a fifth less work than with the 64 KiB at a time that are usual.
    fileprivate func readMuch() throws {
        try syncOptions?.setOption(
            .recvAllocator,
            value: AdaptiveRecvByteBufferAllocator(
                minimum: 1024, initial: 16 << 10, maximum: 256 << 10))
    }
}
