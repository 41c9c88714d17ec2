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
        let place = route.proxy.map { "the proxy \($0)" } ?? "\(origin)"
        switch error {
        case is CancellationError: throw error
        case let failure as FetchFailure: self = failure
        case is Astray:
            self.init(.address, "\(origin) was not at the address that it was connected to")
        case let error as HTTPClientError:
            self.init(error, origin, place, configuration)
        case let error as IOError:
            self.init(.connection, FetchFailure.words(error.errnoCode, place), isTransient: true)
        case let error as NIOConnectionError:
            guard let last = error.connectionErrors.last?.error as? IOError else {
                self.init(.dns, "there is no host of the name \(error.host)")
                break
            }
            self.init(.connection, FetchFailure.words(last.errnoCode, place), isTransient: true)
        case ChannelError.connectTimeout:
            self.init(connectTimeout: place, configuration)
        case let error as NIOSSLError:
            self.init(error, origin)
        case let error as BoringSSLError:
            self.init(.tls, FetchFailure.words(ofTLS: "\(error)", origin))
        case let error as ForAnotherHost:
            self.init(.tls, "the certificate of \(origin) \(error.certificate.whom)")
        case is Unjudged:
            self.init(.tls, "nobody looked at who answers in the name of \(origin)")
        case is HTTPParserError, is NIOHTTPDecoderError:
            self.init(.http, "\(origin) answers with something that is not HTTP")
        case is ChannelError:
            self.init(.connection, "\(place) closed the connection", isTransient: true)
        // SOCKSError, in a package that only AsyncHTTPClient imports.
        case _ where String(reflecting: type(of: error)).hasPrefix("NIOSOCKS."):
            self.init(.proxy, "\(place) does not pass the request on", isTransient: true)
        default:
            // The type of a library error, which contains nothing of the request.
            self.init(
                .http, "\(origin) cannot be spoken with (\(type(of: error)))", isTransient: true)
        }
        // The connection to the proxy failed, not to the server.
        if route.proxy != nil, code == .connection { code = .proxy }
    }

    private init(
        _ error: HTTPClientError, _ origin: Origin, _ place: String,
        _ configuration: FetchConfiguration
    ) {
        switch error {
        case .connectTimeout, .getConnectionFromPoolTimeout, .tlsHandshakeTimeout,
            .socksHandshakeTimeout, .httpProxyHandshakeTimeout:
            self.init(connectTimeout: place, configuration)
        case .readTimeout, .writeTimeout:
            self.init(idleTimeout: origin, configuration)
        case .deadlineExceeded:
            self.init(totalTimeout: origin, configuration)
        case .remoteConnectionClosed:
            self.init(.connection, "\(place) closed the connection", isTransient: true)
        case .proxyAuthenticationRequired:
            self.init(.proxy, "\(place) asks for another name and password")
        case .invalidProxyResponse:
            self.init(.proxy, "\(place) does not pass the request on")
        case .invalidURL, .emptyHost:
            self.init(.url, "this is not a URL")
        default:
            self.init(
                .http, "\(origin) cannot be spoken with: \(error.shortDescription.lowercased())",
                isTransient: true)
        }
    }

    init(connectTimeout place: String, _ configuration: FetchConfiguration) {
        let limit = Duration.seconds(configuration.connectTimeout).words
        self.init(.timeout, "\(place) did not answer within \(limit)", isTransient: true)
    }

    init(idleTimeout origin: Origin, _ configuration: FetchConfiguration) {
        let limit = Duration.seconds(configuration.idleTimeout).words
        self.init(.timeout, "nothing came from \(origin) for \(limit)", isTransient: true)
    }

    init(totalTimeout origin: Origin, _ configuration: FetchConfiguration) {
        let limit = Duration.seconds(configuration.totalTimeout).words
        self.init(
            .timeout, "it took longer than \(limit) to fetch from \(origin)", isTransient: true)
    }

    private init(_ error: NIOSSLError, _ origin: Origin) {
        switch error {
        case .noSuchFilesystemObject, .failedToLoadCertificate:
            self.init(
                .tls, "the authorities that SSL_CERT_FILE and SSL_CERT_DIR name cannot be read")
        case .uncleanShutdown:
            self.init(.connection, "\(origin) closed the connection", isTransient: true)
        case .handshakeFailed(let reason):
            self.init(.tls, FetchFailure.words(ofTLS: "\(reason)", origin))
        default:
            self.init(.tls, "no secure connection to \(origin) can be made")
        }
    }

    /// Messages for BoringSSL's reasons (its ssl.errordata) and the alerts of RFC 8446, 6.
    private static func words(ofTLS reason: String, _ origin: Origin) -> String {
        let rows = [
            (
                ["CERTIFICATE_VERIFY_FAILED"],
                "the certificate of \(origin) is not one that is trusted"
            ),
            (["WRONG_VERSION_NUMBER", "HTTP_REQUEST"], "\(origin) does not speak TLS there"),
            (
                ["UNSUPPORTED_PROTOCOL", "PROTOCOL_VERSION"],
                "\(origin) has no TLS that is new enough: 1.2 or 1.3"
            ),
            (["UNRECOGNIZED_NAME"], "\(origin) does not know itself by that name"),
            (
                ["CERTIFICATE_REQUIRED", "BAD_CERTIFICATE"],
                "\(origin) wants to see a certificate of one's own"
            ),
            (["HANDSHAKE_FAILURE"], "there is no way of encryption that \(origin) has as well"),
        ]
        let row = rows.first { row in row.0.contains { reason.contains($0) } }
        return row?.1 ?? "no secure connection to \(origin) can be made"
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

    private static func words(_ code: CInt, _ place: String) -> String {
        switch code {
        case ECONNREFUSED: return "\(place) refuses the connection"
        case ECONNRESET, EPIPE: return "\(place) closed the connection"
        case ENETUNREACH, EHOSTUNREACH, ENETDOWN: return "there is no way to \(place)"
        default:
            let words = unsafe String(cString: strerror(code))
            return
                "\(place) cannot be connected to: \(words.prefix(1).lowercased() + words.dropFirst())"
        }
    }
}
