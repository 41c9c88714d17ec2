internal import Fetching
internal import Foundation
import Glibc

/// Resolves host names with the system's resolver; results are cached for a minute.
actor Resolver {
    private struct Known {
        var addresses: [HostAddress]
        var until: ContinuousClock.Instant
    }

    private var known: [String: Known] = [:]
    private var asking: [String: Task<[HostAddress], any Error>] = [:]
    private let limit: Duration
    private let lookUp: LookUp

    typealias LookUp = @Sendable (_ host: String) -> Result<[HostAddress], LookUpError>

    init(limit: Duration, lookUp: @escaping LookUp = { HostAddress.lookUp($0) }) {
        self.limit = limit
        self.lookUp = lookUp
    }

    func addresses(of host: String) async throws -> [HostAddress] {
        let now = ContinuousClock.now
        if let known = known[host], known.until > now { return known.addresses }
        if let task = asking[host] { return try await task.value }
        let task = Task { [lookUp, limit] in
            try await Resolver.ask(for: host, within: limit, lookUp)
        }
        asking[host] = task
        defer { asking[host] = nil }
        let addresses = try await task.value
        keep(addresses, of: host)
        return addresses
    }

    /// The same, but empty on failure or timeout.
    func knownAddresses(of host: String) async -> [HostAddress] {
        if let addresses = try? await addresses(of: host) { return addresses }
        keep([], of: host)
        return []
    }

    private func keep(_ addresses: [HostAddress], of host: String) {
        if known.count >= 256 { known.removeAll() }
        known[host] = Known(addresses: addresses, until: .now + .seconds(60))
    }

    /// getaddrinfo cannot be cancelled: after the timeout, its thread is abandoned.
    private static func ask(
        for host: String, within limit: Duration, _ lookUp: @escaping LookUp
    ) async throws -> [HostAddress] {
        let (answers, answer) = AsyncStream.makeStream(
            of: Result<[HostAddress], LookUpError>.self, bufferingPolicy: .bufferingOldest(1))
        Thread.detachNewThread {
            answer.yield(lookUp(host))
            answer.finish()
        }
        let timer = Task {
            try await Task.sleep(for: limit)
            answer.finish()
        }
        defer { timer.cancel() }
        for await result in answers {
            switch result {
            case .success(let addresses): return Resolver.mixed(addresses)
            case .failure(let error): throw FetchFailure(error, host)
            }
        }
        throw FetchFailure(.resolverSilent(host: host, seconds: limit / .seconds(1)))
    }

    /// Alternates IPv6 and IPv4 addresses, so that the second attempt uses the other family (RFC
    /// 8305, 4).
    static func mixed(_ addresses: [HostAddress]) -> [HostAddress] {
        guard let first = addresses.first else { return [] }
        let same = addresses.filter { $0.isIPv6 == first.isIPv6 }
        let other = addresses.filter { $0.isIPv6 != first.isIPv6 }
        return (0..<max(same.count, other.count)).flatMap { index in
            same.dropFirst(index).prefix(1) + other.dropFirst(index).prefix(1)
        }
    }
}

extension FetchFailure {
    init(_ error: LookUpError, _ host: String) {
        switch error.code {
        case EAI_NONAME, -5:
            self.init(.unknownHost(host))
        case EAI_AGAIN:
            self.init(.resolverBusy(host: host))
        default:
            let words = unsafe String(cString: gai_strerror(error.code))
            self.init(.resolverFailed(host: host, words: words.lowercased()))
        }
    }
}
