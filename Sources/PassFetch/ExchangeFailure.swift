import AsyncHTTPClient
internal import Fetching
import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

extension FetchFailure {
    /// The failure for an error before the response.
    ///
    /// - Throws: `CancellationError`, unchanged.
    init(
        _ error: any Error, _ origin: Origin, _ route: Route, _ configuration: FetchConfiguration
    ) throws {
        let host = origin.description
        let peer = route.proxy.map { FetchPeer.proxy("\($0)") } ?? .server(host)
        switch error {
        case is CancellationError: throw error
        case let failure as FetchFailure: self = failure
        case is Astray: self.init(.otherAddress(host: host))
        case let error as HTTPClientError: self.init(error, host, peer, configuration)
        case let error as IOError: self.init(errno: error.errnoCode, peer)
        case let error as NIOConnectionError:
            guard let last = error.connectionErrors.last?.error as? IOError else {
                self.init(.unknownHost(error.host))
                break
            }
            self.init(errno: last.errnoCode, peer)
        case ChannelError.connectTimeout:
            self.init(.noAnswer(peer, seconds: configuration.connectTimeout))
        case let error as NIOSSLError: self.init(error, host, peer)
        case let error as BoringSSLError: self.init(tls: "\(error)", host)
        case let error as ForAnotherHost:
            self.init(.certificate(host: host, error.certificate.faultForOthers))
        case is Unjudged: self.init(.uncheckedCertificate(host: host))
        case is HTTPParserError, is NIOHTTPDecoderError: self.init(.notHTTP(host: host))
        case is ChannelError: self.init(.closed(peer))
        // SOCKSError, in a package that only AsyncHTTPClient imports.
        case _ where String(reflecting: type(of: error)).hasPrefix("NIOSOCKS."):
            self.init(.proxyFailed(proxy: route.proxy.map { "\($0)" } ?? host))
        default:
            // The type of a library error, which contains nothing of the request.
            self.init(.protocolFailed(host: host, words: "\(type(of: error))"))
        }
    }

    private init(
        _ error: HTTPClientError, _ host: String, _ peer: FetchPeer,
        _ configuration: FetchConfiguration
    ) {
        switch error {
        case .connectTimeout, .getConnectionFromPoolTimeout, .tlsHandshakeTimeout,
            .socksHandshakeTimeout, .httpProxyHandshakeTimeout:
            self.init(.noAnswer(peer, seconds: configuration.connectTimeout))
        case .readTimeout, .writeTimeout:
            self.init(.stalled(host: host, seconds: configuration.idleTimeout))
        case .deadlineExceeded:
            self.init(.tooSlow(host: host, seconds: configuration.totalTimeout))
        case .remoteConnectionClosed: self.init(.closed(peer))
        case .proxyAuthenticationRequired: self.init(.proxyCredentialsWanted(proxy: peer.name))
        case .invalidProxyResponse: self.init(.proxyRefused(proxy: peer.name))
        case .invalidURL, .emptyHost: self.init(.notURL)
        default:
            self.init(.protocolFailed(host: host, words: error.shortDescription.lowercased()))
        }
    }

    private init(_ error: NIOSSLError, _ host: String, _ peer: FetchPeer) {
        switch error {
        case .noSuchFilesystemObject, .failedToLoadCertificate: self.init(.unreadableAuthorities)
        case .uncleanShutdown: self.init(.closed(peer))
        case .handshakeFailed(let reason): self.init(tls: "\(reason)", host)
        default: self.init(.tlsFailed(host: host))
        }
    }

    /// - Parameter reason: BoringSSL's reasons (its ssl.errordata) and the alerts of RFC 8446, 6.
    private init(tls reason: String, _ host: String) {
        func says(_ names: String...) -> Bool { names.contains { reason.contains($0) } }
        if says("CERTIFICATE_VERIFY_FAILED") {
            self.init(.certificate(host: host, .untrusted))
        } else if says("WRONG_VERSION_NUMBER", "HTTP_REQUEST") {
            self.init(.noTLS(host: host))
        } else if says("UNSUPPORTED_PROTOCOL", "PROTOCOL_VERSION") {
            self.init(.oldTLS(host: host))
        } else if says("UNRECOGNIZED_NAME") {
            self.init(.unrecognizedName(host: host))
        } else if says("CERTIFICATE_REQUIRED", "BAD_CERTIFICATE") {
            self.init(.clientCertificateWanted(host: host))
        } else if says("HANDSHAKE_FAILURE") {
            self.init(.noCommonCipher(host: host))
        } else {
            self.init(.tlsFailed(host: host))
        }
    }

    /// Whether an established connection was closed.
    static func isEnd(ofConnection error: any Error) -> Bool {
        switch error {
        case let error as HTTPClientError: error == .remoteConnectionClosed
        case let error as IOError: [ECONNRESET, EPIPE].contains(error.errnoCode)
        case let error as ChannelError:
            [.ioOnClosedChannel, .alreadyClosed, .eof].contains(error)
        case NIOSSLError.uncleanShutdown: true
        default: false
        }
    }

    private init(errno code: CInt, _ peer: FetchPeer) {
        switch code {
        case ECONNREFUSED: self.init(.refused(peer))
        case ECONNRESET, EPIPE: self.init(.closed(peer))
        case ENETUNREACH, EHOSTUNREACH, ENETDOWN: self.init(.unreachable(peer))
        default: self.init(.connectionFailed(peer, code))
        }
    }
}

extension FetchPeer {
    fileprivate var name: String {
        switch self {
        case .server(let name), .proxy(let name): name
        }
    }
}
