import AsyncHTTPClient
internal import Fetching
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// The endpoint of a connection: one address under one name.
struct Route: Hashable, Sendable {
    /// The host name or address, which the certificate must match.
    var host: String
    /// Nil if a proxy resolves the name.
    var address: HostAddress?
    var proxy: Proxy?
    var isSecure: Bool
}

/// A cache of HTTP clients, one per route: the address of a client is fixed when it is created.
final class Clients: Sendable {
    private struct Entry {
        var client: HTTPClient
        var check: ConnectionCheck
        var users = 0
        var lastUse = 0
    }

    private struct State {
        var entries: [Route: Entry] = [:]
        var uses = 0
        /// Created for the first secure client: it contains more than a hundred authorities.
        var tls: TLSConfiguration?
    }

    /// The number of idle clients that are kept.
    private static let most = 8

    let loop: any EventLoop
    private let state = Mutex(State())
    private let configuration: FetchConfiguration

    init(_ configuration: FetchConfiguration, on loop: any EventLoop) {
        self.configuration = configuration
        self.loop = loop
    }

    /// Runs `body` with the client for a route, which stays open while it runs.
    func withClient<Result: Sendable>(
        for route: Route, _ body: (HTTPClient, ConnectionCheck) async throws -> Result
    ) async throws -> Result {
        let (client, check) = take(route)
        defer { giveBack(route) }
        return try await body(client, check)
    }

    /// The routes sorted, those with an existing client first. Checked in one step, since other
    /// requests create clients concurrently.
    func knownFirst(_ routes: [Route]) -> [Route] {
        state.withLock { state in
            routes.filter { state.entries[$0] != nil } + routes.filter { state.entries[$0] == nil }
        }
    }

    private func take(_ route: Route) -> (HTTPClient, ConnectionCheck) {
        state.withLock { state in
            var entry = state.entries[route] ?? makeEntry(route, &state.tls)
            entry.users += 1
            state.uses += 1
            entry.lastUse = state.uses
            state.entries[route] = entry
            return (entry.client, entry.check)
        }
    }

    private func giveBack(_ route: Route) {
        let gone: HTTPClient? = state.withLock { state in
            state.entries[route]?.users -= 1
            guard state.entries.count > Clients.most,
                let oldest = state.entries.filter({ $0.value.users == 0 })
                    .min(by: { $0.value.lastUse < $1.value.lastUse })
            else { return nil }
            state.entries[oldest.key] = nil
            return oldest.value.client
        }
        if let gone { Task { try? await gone.shutdown() } }
    }

    private func makeEntry(_ route: Route, _ tls: inout TLSConfiguration?) -> Entry {
        if tls == nil, route.isSecure { tls = TLSConfiguration(configuration) }
        var settings = HTTPClient.Configuration(
            tlsConfiguration: tls, redirectConfiguration: .disallow,
            timeout: .init(
                connect: TimeAmount(seconds: configuration.connectTimeout),
                read: TimeAmount(seconds: configuration.idleTimeout)))
        if let address = route.address {
            settings.dnsOverride = [route.host: address.description]
        }
        // HTTP/2 costs twice the CPU time per byte, and only few requests go to one host at a time.
        settings.httpVersion = .http1Only
        settings.proxy = route.proxy.map(HTTPClient.Configuration.Proxy.init)
        // The controlling process limits requests and schedules retries.
        settings.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1024
        settings.connectionPool.retryConnectionEstablishment = false
        settings.connectionPool.idleTimeout = .seconds(30)
        let check = ConnectionCheck(to: route)
        settings.http1_1ConnectionDebugInitializer = { check.judge($0) }
        return Entry(
            client: HTTPClient(eventLoopGroup: loop, configuration: settings), check: check)
    }
}

extension TimeAmount {
    init(seconds: Double) {
        self = .milliseconds(Int64(min(max(seconds, 0.001), 1e9) * 1000))
    }
}
