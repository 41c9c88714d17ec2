import CCurl
internal import Fetching
import Glibc

extension FetchFailure {
    /// The failure for an error before the response.
    init(_ result: CurlResult, _ route: Route, _ configuration: FetchConfiguration) {
        let host = route.failingHost(result)
        let peer = route.peer(result)
        switch result.code {
        case CURLE_OK: self.init(.noResponse(host: host))
        case CURLE_COULDNT_CONNECT:
            self.init(errno: result.errorNumber, peer)
        case CURLE_OPERATION_TIMEDOUT:
            let seconds = configuration.connectTimeout
            self.init(
                result.isNameKnown
                    ? .noAnswer(peer, seconds: seconds)
                    : .resolverSilent(host: route.proxy?.host ?? host, seconds: seconds))
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CLIENTCERT:
            self.init(tls: result.words.lowercased(), host, peer)
        // With TLS 1.3 the server examines the client's certificate after the handshake.
        case _ where result.words.lowercased().contains("certificate required"):
            self.init(tls: result.words.lowercased(), host, peer)
        case CURLE_SSL_CACERT_BADFILE: self.init(.unreadableAuthorities)
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CERTPROBLEM:
            self.init(.certificate(host: host, .untrusted))
        case CURLE_PROXY: self.init(.proxyFailed(proxy: peer.name))
        case CURLE_URL_MALFORMAT: self.init(.notURL)
        case _ where result.tunnelStatus == 407:
            self.init(.proxyCredentialsWanted(proxy: peer.name))
        case _ where result.tunnelStatus != 0 && result.tunnelStatus / 100 != 2:
            self.init(.proxyRefused(proxy: peer.name))
        case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE,
            CURLE_HTTP2, CURLE_HTTP2_STREAM:
            self.init(.closed(peer))
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_CONTENT_ENCODING:
            self.init(.notHTTP(host: host))
        // libcurl's error for a line of the head that exceeds its limit.
        case CURLE_OUT_OF_MEMORY: self.init(.longAnswer)
        default:
            self.init(
                .protocolFailed(
                    host: host,
                    words: unsafe String(cString: curl_easy_strerror(result.code)).lowercased()))
        }
    }

    /// - Parameter reason: OpenSSL's reasons (its ssl_err.c) with the alerts of RFC 8446, 6, in
    ///   lower case.
    private init(tls reason: String, _ host: String, _ peer: FetchPeer) {
        func contains(_ names: String...) -> Bool { names.contains { reason.contains($0) } }
        if contains("wrong version number", "http request", "packet length too long") {
            self.init(.noTLS(host: host))
        } else if contains("unsupported protocol", "protocol version", "no protocols available") {
            self.init(.oldTLS(host: host))
        } else if contains("unrecognized name") {
            self.init(.unrecognizedName(host: host))
        } else if contains("certificate required", "bad certificate") {
            self.init(.clientCertificateWanted(host: host))
        } else if contains("handshake failure", "no shared cipher", "insufficient security") {
            self.init(.noCommonCipher(host: host))
        } else if contains("ssl_error_syscall", "connection reset", "unexpected eof") {
            self.init(.closed(peer))
        } else {
            self.init(.tlsFailed(host: host))
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

    /// The failure to resolve a host, from the answer of the system's resolver to a second lookup.
    init(unresolved host: String, _ error: LookUpError?) {
        switch error?.code {
        // The second lookup succeeded.
        case nil: self.init(.resolverBusy(host: host))
        // EAI_NODATA of <netdb.h>, which Glibc does not export to Swift.
        case EAI_NONAME, -5: self.init(.unknownHost(host))
        case EAI_AGAIN: self.init(.resolverBusy(host: host))
        case let code?:
            let words = unsafe String(cString: gai_strerror(code))
            self.init(.resolverFailed(host: host, words: words.lowercased()))
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
