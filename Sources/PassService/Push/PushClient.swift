internal import AsyncHTTPClient
internal import Bytes
internal import Fetching
package import Foundation
internal import Glibc
internal import NIOCore
internal import NIOHTTP1
internal import NIOSSL

/// A client of APNs with one credential.
///
/// ```
/// POST /3/device/00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0 HTTP/2
/// apns-topic: pass.com.example.ticket
/// apns-expiration: 1735689600
/// apns-priority: 10
/// apns-collapse-id: update
///
/// {}
/// ```
///
/// All requests are streams of one HTTP/2 connection (RFC 9113), which is opened on demand.
package struct PushClient: Sendable {
    package let credential: PushCredential
    private let options: PushOptions
    private let client: HTTPClient

    /// Call ``shutDown()`` when the client is no longer needed.
    package init(_ credential: PushCredential, _ options: PushOptions) throws(PushError) {
        self.credential = credential
        self.options = options
        var configuration = HTTPClient.Configuration()
        configuration.tlsConfiguration = try Self.tls(credential, options)
        configuration.redirectConfiguration = .disallow
        let limit = clampedMilliseconds(options.timeout)
        configuration.timeout.connect = .milliseconds(limit)
        configuration.timeout.read = .milliseconds(limit)
        // PushSender retries with its own back-off.
        configuration.connectionPool.retryConnectionEstablishment = false
        // Apple asks to keep connections open.
        configuration.connectionPool.idleTimeout = .minutes(10)
        // A router may forget the connection and drop its packets. Without this timeout, the
        // system resends them for 15 minutes, while all pushes time out.
        configuration.http2ConnectionDebugInitializer = { channel in
            let option = NIOBSDSocket.Option(rawValue: TCP_USER_TIMEOUT)
            return channel.setOption(.tcpOption(option), value: .init(limit))
        }
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    /// Checks that TLS can use a credential and the authorities.
    static func check(_ credential: PushCredential, _ options: PushOptions) throws(PushError) {
        let tls = try tls(credential, options)
        do {
            _ = try NIOSSLContext(configuration: tls)
        } catch {
            throw .unusableCertificate(certificate: credential.passTypeIdentifier ?? "")
        }
    }

    private static func tls(
        _ credential: PushCredential, _ options: PushOptions
    ) throws(PushError) -> TLSConfiguration {
        var tls = TLSConfiguration.makeClientConfiguration()
        // Apple: "Establishing a certificate-based connection to APNs".
        tls.minimumTLSVersion = .tlsv12
        if let authorities = options.authorities {
            guard let roots = try? NIOSSLCertificate.fromPEMBytes(authorities), !roots.isEmpty
            else { throw .badAuthorities }
            tls.trustRoots = .certificates(roots)
        }
        if case .certificate(let chain, let key) = credential.proof {
            tls.certificateChain = chain.map { .certificate($0) }
            tls.privateKey = .privateKey(key)
        }
        return tls
    }

    package func shutDown() async {
        try? await client.shutdown()
    }

    /// Sends one push, and waits at most ``PushOptions/timeout`` for the complete answer.
    ///
    /// - Parameters:
    ///   - token: The push token of the device.
    ///   - topic: The pass type identifier, which must be that of the certificate.
    package func push(
        to token: String, topic: String, at time: Date = .now
    ) async -> PushAnswer {
        // The token becomes part of the path.
        guard !token.isEmpty, token.utf8.allSatisfy({ $0.hexadecimalValue != nil }) else {
            return .final(.invalidToken)
        }
        return await withTaskGroup { tasks in
            tasks.addTask { await answer(token, topic, time) }
            // The timeout of HTTPClient ends with the head of a response; this one also covers the
            // body.
            tasks.addTask {
                do {
                    try await Task.sleep(
                        for: .milliseconds(clampedMilliseconds(options.timeout)))
                    return .unreachable(reason: "\(HTTPClientError.deadlineExceeded)")
                } catch {
                    return .cancelled
                }
            }
            let first = await tasks.next()
            tasks.cancelAll()
            return first ?? .cancelled
        }
    }

    private func answer(_ token: String, _ topic: String, _ time: Date) async -> PushAnswer {
        switch credential.proof {
        case .certificate:
            guard topic == credential.passTypeIdentifier else {
                return .misconfigured(reason: "TopicDisallowed")
            }
            return await send(request(token, topic, time))
        case .token(let provider):
            guard let text = provider.current(at: time) else {
                return .misconfigured(reason: "MissingProviderToken")
            }
            let answer = await send(request(token, topic, time, authorization: text))
            guard answer == .expiredToken else { return answer }
            guard let text = provider.replacement(for: text, at: time) else { return answer }
            return await send(request(token, topic, time, authorization: text))
        }
    }

    private static let body = ByteBuffer(string: "{}")

    private func request(
        _ token: String, _ topic: String, _ time: Date, authorization: String? = nil
    ) -> HTTPClientRequest {
        var request = HTTPClientRequest(
            url: "https://\(options.host):\(options.port)/3/device/\(token)")
        request.method = .POST
        let expiration = HTTPDate(time + options.expiry).seconds
        request.headers = [
            "apns-topic": topic,
            "apns-expiration": "\(expiration)",
            "apns-priority": "\(options.priority)",
            // While a device is off, APNs stores only the last push for each identifier.
            "apns-collapse-id": "update",
        ]
        // Not sent by default. Apple's "Sending notification requests to APNs" has no type for
        // Wallet, and wants a type to match the contents, which are empty here. Servers push
        // without one (alexandercerutti/passkit-generator, issue 53) and with `background`
        // (vapor-community/PassKit; alexalok/dotAPNS, issue 99); APNs delays pushes of type
        // `background` to save energy, which users report for passes (dotAPNS, issue 115).
        if let type = options.pushType { request.headers.add(name: "apns-push-type", value: type) }
        if let authorization {
            request.headers.add(name: "authorization", value: "bearer \(authorization)")
        }
        request.body = .bytes(Self.body)
        return request
    }

    private func send(_ request: HTTPClientRequest) async -> PushAnswer {
        do {
            let response = try await client.execute(
                request, timeout: .milliseconds(clampedMilliseconds(options.timeout)))
            var body = ByteBuffer()
            do {
                body = try await response.body.collect(upTo: 4096)
            } catch is NIOTooManyBytesError {
                // The body is not from APNs; the status is enough.
            }
            // If the task was cancelled, the body may be incomplete.
            if Task.isCancelled { return .cancelled }
            return PushAnswer(
                status: Int(response.status.code), body: Array(body.readableBytesView),
                from: options.host)
        } catch {
            if Task.isCancelled { return .cancelled }
            return .unreachable(reason: "\(error)")
        }
    }
}

private func clampedMilliseconds(_ seconds: TimeInterval) -> Int64 {
    Int64(min(max(seconds, 0.001), 86_400) * 1000)
}
