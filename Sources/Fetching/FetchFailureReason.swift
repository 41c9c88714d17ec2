package import Platform

/// Why a URL could not be fetched.
///
/// A host includes its port if that is not the default. Text of the system and of libraries is
/// passed on unchanged. Sizes are in bytes, times in seconds.
package indirect enum FetchFailureReason: Sendable, Hashable, Codable {
    // URL
    case notURL
    case urlTooLong(limit: Int)
    case unknownScheme(String)
    case noHost
    case invalidAddress
    case invalidName
    case invalidPort(Int)
    /// A header field would contain control characters.
    case unsendableField
    case invalidRequest
    /// `http:` without permission.
    case insecure(host: String)

    // Name resolution
    case unknownHost(String)
    /// A temporary failure of the resolver.
    case resolverBusy(host: String)
    case resolverFailed(host: String, words: String)
    case resolverSilent(host: String, seconds: Double)
    /// `host` is nil if the URL contains the address.
    case forbiddenAddress(host: String?, address: String, AddressKind)
    case privateName(host: String)

    // Connection
    case refused(FetchPeer)
    case closed(FetchPeer)
    case unreachable(FetchPeer)
    /// With the system's errno.
    case connectionFailed(FetchPeer, CInt)
    case noAnswer(FetchPeer, seconds: Double)
    case stalled(host: String, seconds: Double)
    case belowRate(host: String, bytesPerSecond: Double, seconds: Double)
    case tooSlow(host: String, seconds: Double)

    // TLS
    case certificate(host: String, CertificateFault)
    case noTLS(host: String)
    case oldTLS(host: String)
    case unrecognizedName(host: String)
    case clientCertificateWanted(host: String)
    case noCommonCipher(host: String)
    case tlsFailed(host: String)
    /// The files of `SSL_CERT_FILE` and `SSL_CERT_DIR`.
    case unreadableAuthorities

    // Proxy
    case unknownProxyScheme(String)
    case proxyWithoutHost
    case proxyCredentialsWanted(proxy: String)
    case proxyRefused(proxy: String)
    case proxyFailed(proxy: String)

    // Response
    case status(host: String, code: Int)
    case redirectWithoutTarget(host: String)
    case redirectToNoURL(host: String)
    case redirectToUnfetchable(host: String, FetchFailureReason)
    case redirectWithUser(host: String, target: String)
    case redirectLoop(host: String)
    /// A POST or DELETE was redirected.
    case redirectNotFollowed(host: String)
    case tooManyRedirects(host: String, limit: Int)
    /// `size` is nil if the server did not announce it.
    case tooLarge(host: String, size: Int?, limit: Int)
    /// `size` is that of the complete body, nil if unknown.
    case cut(host: String, received: Int, size: Int?)
    case encoded(host: String, coding: String)
    case unrequestedPart(host: String)
    case notHTTP(host: String)
    case longAnswer
    case noResponse(host: String)
    case protocolFailed(host: String, words: String)
    case noBody

    // This computer
    case invalidFileName
    case file(FileError)
    /// `passconduit-fetch` ended.
    case ended
}

extension FetchFailureReason {
    package var code: FetchFailure.Code {
        switch self {
        case .notURL, .urlTooLong, .unknownScheme, .noHost, .invalidAddress, .invalidName,
            .invalidPort, .unsendableField, .invalidRequest:
            .url
        case .insecure: .insecure
        case .unknownHost, .resolverBusy, .resolverFailed: .dns
        case .forbiddenAddress, .privateName: .address
        case .refused(let peer), .closed(let peer), .unreachable(let peer),
            .connectionFailed(let peer, _):
            peer.isProxy ? .proxy : .connection
        case .noAnswer, .stalled, .belowRate, .tooSlow, .resolverSilent: .timeout
        case .certificate, .noTLS, .oldTLS, .unrecognizedName,
            .clientCertificateWanted, .noCommonCipher, .tlsFailed, .unreadableAuthorities:
            .tls
        case .unknownProxyScheme, .proxyWithoutHost, .proxyCredentialsWanted,
            .proxyRefused, .proxyFailed:
            .proxy
        case .status: .status
        case .redirectWithoutTarget, .redirectToNoURL, .redirectToUnfetchable, .redirectWithUser,
            .redirectLoop, .redirectNotFollowed, .tooManyRedirects:
            .redirect
        case .tooLarge: .size
        case .cut: .cut
        case .encoded, .unrequestedPart, .notHTTP, .longAnswer, .noResponse, .protocolFailed,
            .noBody:
            .http
        case .invalidFileName, .file: .file
        case .ended: .ended
        }
    }

    /// Whether a retry may succeed.
    package var isTransient: Bool {
        switch self {
        case .resolverBusy, .resolverFailed, .resolverSilent, .refused, .closed, .unreachable,
            .connectionFailed, .noAnswer, .stalled, .belowRate, .tooSlow, .proxyFailed, .cut,
            .noResponse,
            .protocolFailed, .file, .ended:
            true
        case .status(_, let code): [408, 425, 429, 500, 502, 503, 504].contains(code)
        default: false
        }
    }
}

/// The computer at the other end of a connection.
package enum FetchPeer: Sendable, Hashable, Codable {
    case server(String)
    case proxy(String)

    package var isProxy: Bool { if case .proxy = self { true } else { false } }
}
