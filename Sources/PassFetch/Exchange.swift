import CCurl
internal import Fetching

/// One request to a server, and its response.
final class Exchange {
    enum Outcome {
        /// The response, with the number of bytes of its body in the file.
        case answered(Answer, size: Int)
        case failed(FetchFailure)
        /// The server closed a reused connection before its response. It may do so at any time, for
        /// example after a number of requests, or at a restart.
        case lost(FetchFailure)
        /// The certificate was refused. The reason is not known yet.
        case refusedCertificate(isForAnotherHost: Bool)
        /// This host was not resolved. The reason is not known yet.
        case unresolved(host: String)
    }

    enum Progress {
        case response(FetchResponse)
        /// The number of bytes of the body in the file.
        case received(Int)
    }

    /// The time in which the body of a response other than the requested one is read, so that the
    /// connection can be used again.
    private static let otherBodyTime = Duration.seconds(2)
    private static let progressInterval = Duration.milliseconds(250)

    private let resource: ResourceRequest
    private let route: Route
    private let client: Client
    private let handle: CurlHandle
    private let check: AddressCheck
    private let report: (Progress) -> Void
    private let end: (Outcome) -> Void
    private var receiver: ResponseReceiver
    private var sent: ContinuousClock.Instant?
    private var answered: ContinuousClock.Instant?
    private var reported: ContinuousClock.Instant?
    private var pace: Pace?
    /// Whether the certificate has only a common name.
    private var namesNoHost = false

    /// - Parameters:
    ///   - fields: The fields of the request, as lines.
    ///   - body: The body of a POST.
    ///   - end: Called once, unless the exchange is cancelled.
    init?(
        _ resource: ResourceRequest, fields: [String], body: String?, by route: Route,
        with jar: CookieJar?, into file: String, _ client: Client,
        report: @escaping (Progress) -> Void, end: @escaping (Outcome) -> Void
    ) {
        check = AddressCheck(route)
        guard let handle = route.makeHandle(client, check) else { return nil }
        self.resource = resource
        self.route = route
        self.client = client
        self.handle = handle
        self.report = report
        self.end = end
        receiver = ResponseReceiver(
            resource, isForwarded: route.isForwarded, into: file, in: client.folder)
        if let jar { handle.use(jar) }
        handle.set(resource.method, body: body)
        handle.set(CURLOPT_HTTPHEADER, fields)
        // Sizes and ranges refer to the encoded body.
        handle.set(CURLOPT_HTTP_CONTENT_DECODING, 0)
        // A large body costs less processor time in large pieces.
        handle.set(CURLOPT_BUFFERSIZE, 64 << 10)
        handle.takeLine = { [unowned self] in takeLine($0) }
        handle.takeBody = { [unowned self] in takeBody($0) }
        handle.maySend = { [unowned self] in maySend(to: $0) }
        handle.finish = { [unowned self] in finish($0) }
    }

    /// The cookies in the jar.
    var cookies: [String] { handle.cookies }

    func begin() { client.loop.add(handle) }

    func cancel() { client.loop.remove(handle) }

    /// Ends the exchange if the server is too slow.
    ///
    /// - Parameter deadline: The time by which the request must end.
    func examine(at now: ContinuousClock.Instant, deadline: ContinuousClock.Instant) {
        let host = resource.target.origin.description
        let configuration = client.configuration
        if let answered, let answer = receiver.answer, !receiver.hasBody {
            if now - answered > Exchange.otherBodyTime {
                stop(.answered(answer, size: receiver.size))
            }
        } else if now > deadline {
            stop(.failed(FetchFailure(.tooSlow(host: host, seconds: configuration.totalTimeout))))
        } else if answered != nil, let arrived = pace?.shortfall(at: now, count: receiver.received)
        {
            let seconds = configuration.idleTimeout
            let reason: FetchFailureReason =
                arrived == 0
                ? .stalled(host: host, seconds: seconds)
                : .belowRate(
                    host: host, bytesPerSecond: configuration.minimumRate, seconds: seconds)
            stop(.failed(FetchFailure(reason)))
        } else if answered == nil, let sent, now - sent > .seconds(configuration.idleTimeout) {
            // Interim responses do not count.
            stop(.failed(FetchFailure(.stalled(host: host, seconds: configuration.idleTimeout))))
        }
    }

    private func stop(_ outcome: Outcome) {
        cancel()
        end(outcome)
    }

    private func maySend(to address: HostAddress) -> Bool {
        guard check.permits(address) else { return false }
        sent = .now
        guard resource.target.origin.isSecure, let own = handle.certificates.first else {
            return true
        }
        // libcurl would accept a host that only the common name contains (RFC 9525, 2).
        namesNoHost = PeerCertificate(own).hosts.isEmpty
        // The certificate is not shown to later requests on this connection.
        if namesNoHost { handle.set(CURLOPT_FORBID_REUSE, 1) }
        return !namesNoHost
    }

    private func takeLine(_ line: Span<UInt8>) -> Bool {
        guard receiver.takeLine(line) else { return false }
        if answered == nil, let answer = receiver.answer {
            let now = ContinuousClock.now
            answered = now
            pace = Pace(
                window: client.configuration.idleTimeout,
                rate: client.configuration.minimumRate, from: now)
            if case .body(let response, _) = answer { report(.response(response)) }
        }
        return true
    }

    private func takeBody(_ bytes: Span<UInt8>) -> Bool {
        guard receiver.takeBody(bytes) else { return false }
        if receiver.hasBody {
            let now = ContinuousClock.now
            if reported.map({ now - $0 >= Exchange.progressInterval }) ?? true {
                reported = now
                report(.received(receiver.size))
            }
        }
        return true
    }

    private func finish(_ result: CurlResult) {
        end(outcome(result))
    }

    private func outcome(_ result: CurlResult) -> Outcome {
        if let failure = receiver.failure { return .failed(failure) }
        let origin = resource.target.origin.description
        switch receiver.answer {
        case .body(let response, _)? where result.code != CURLE_OK:
            return .failed(
                FetchFailure(.cut(host: origin, received: receiver.size, size: response.size)))
        case let answer?:
            return .answered(answer, size: receiver.size)
        case nil: break
        }
        if receiver.wantsProxyCredentials, let proxy = route.proxy {
            return .failed(FetchFailure(.proxyCredentialsWanted(proxy: proxy.description)))
        }
        if namesNoHost { return .failed(FetchFailure(.certificate(host: origin, .namesNoHost))) }
        if let failure = check.failure { return .failed(failure) }
        switch result.code {
        case CURLE_PEER_FAILED_VERIFICATION where !route.isAtProxy(result):
            return .refusedCertificate(isForAnotherHost: result.isChainTrusted)
        case CURLE_COULDNT_RESOLVE_HOST: return .unresolved(host: resource.target.origin.host)
        case CURLE_COULDNT_RESOLVE_PROXY:
            return .unresolved(host: route.proxy?.host ?? resource.target.origin.host)
        default:
            let failure = FetchFailure(result, route, client.configuration)
            return result.isConnectionReused && failure.isLostConnection
                ? .lost(failure) : .failed(failure)
        }
    }
}

extension FetchFailure {
    fileprivate var isLostConnection: Bool {
        switch reason {
        case .closed(.server), .noResponse, .protocolFailed: true
        default: false
        }
    }
}
