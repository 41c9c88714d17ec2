import AsyncHTTPClient
internal import Fetching
import NIOCore
import NIOHTTP1
import NIOSSL

/// Sends one request to a server, at the first of its addresses that accepts a connection.
struct Exchange: Sendable {
    let configuration: FetchConfiguration
    let clients: Clients
    let resolver: Resolver
    let proxies: ProxyChoice
    let names: ProxiedNames

    init(_ configuration: FetchConfiguration, on loop: any EventLoop) {
        self.configuration = configuration
        clients = Clients(configuration, on: loop)
        resolver = Resolver(limit: .seconds(configuration.connectTimeout))
        proxies = ProxyChoice(configuration.proxies)
        names = ProxiedNames(Resolver(limit: .seconds(min(configuration.connectTimeout, 2))))
    }

    /// - Parameter receiver: Creates the receiver of the response, once per attempt.
    func perform(
        _ request: HTTPClient.Request, for target: Target, _ policy: AddressPolicy,
        until deadline: NIODeadline, _ receiver: () -> ResponseReceiver
    ) async throws -> ResponseReceiver {
        var failure = FetchFailure(.noAddress(host: target.origin.host))
        for route in try await routes(to: target, policy) {
            var tries = 0
            while true {
                try Task.checkCancellation()
                let receiver = receiver()
                tries += 1
                do {
                    try await ask(request, by: route, until: deadline, receiver)
                    return receiver
                } catch {
                    if receiver.answer != nil {
                        throw Interrupted(receiver: receiver, error: error)
                    }
                    failure = try await why(error, target.origin, route)
                    // The server may have closed a reused connection at the same moment (RFC 9110,
                    // 9.2.2), and the next one too.
                    if tries <= 2, FetchFailure.isEnd(ofConnection: error) { continue }
                    if receiver.wasSent { throw failure }
                }
                break
            }
            guard failure.isOfConnection || failure.code == .timeout,
                NIODeadline.now() < deadline
            else { throw failure }
        }
        throw failure
    }

    private func why(
        _ error: any Error, _ origin: Origin, _ route: Route
    ) async throws -> FetchFailure {
        let failure = try FetchFailure(error, origin, route, configuration)
        guard route.proxy == nil, let address = route.address,
            "\(error)".contains("CERTIFICATE_VERIFY_FAILED")
        else { return failure }
        let diagnosis = CertificateDiagnosis(origin: origin)
        let certificates = await diagnosis.certificates(
            at: address, within: TimeAmount(seconds: configuration.connectTimeout), on: clients.loop
        )
        return diagnosis.failure(certificates, now: .now)
    }

    /// A response was cut off.
    struct Interrupted: Error {
        let receiver: ResponseReceiver
        let error: any Error
    }

    private func ask(
        _ request: HTTPClient.Request, by route: Route, until deadline: NIODeadline,
        _ receiver: ResponseReceiver
    ) async throws {
        let loop = clients.loop
        try await clients.withClient(for: route) { client, check in
            receiver.begin(after: check)
            let task = client.execute(
                request: request, delegate: receiver,
                eventLoop: .delegate(on: loop), deadline: deadline, logger: nil)
            try await withTaskCancellationHandler {
                try await task.get()
            } onCancel: {
                task.fail(reason: CancellationError())
            }
        }
    }

    /// The permitted routes to a server, in order of preference.
    private func routes(to target: Target, _ policy: AddressPolicy) async throws -> [Route] {
        let origin = target.origin
        let proxy = try proxies.proxy(for: origin)
        if let proxy, proxy.looksNamesUp {
            // The proxy resolves the name; check what can be checked here.
            try await names.check(target, policy, by: proxy)
            return [Route(host: origin.host, proxy: proxy, isSecure: origin.isSecure)]
        }
        let addresses =
            if let address = target.address { [address] } else {
                try await resolver.addresses(of: origin.host)
            }
        let permitted = addresses.filter(policy.permits)
        if permitted.isEmpty, let address = addresses.first, let kind = AddressKind(of: address) {
            throw FetchFailure(forbidden: address, kind, target)
        }
        let routes = permitted.prefix(8).map { address in
            Route(
                host: origin.host, address: address, proxy: proxy, isSecure: origin.isSecure)
        }
        return clients.knownFirst(routes)
    }
}

extension FetchFailure {
    /// Whether connecting failed, rather than the request.
    fileprivate var isOfConnection: Bool {
        code == .connection || code == .proxy && isTransient
    }
}
