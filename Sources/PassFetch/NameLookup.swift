import CCurl
internal import Fetching

/// Looks up the addresses of a host as libcurl does, without connecting to them.
final class NameLookup {
    private let handle: CurlHandle
    private let loop: CurlLoop
    private var addresses: [HostAddress] = []

    /// - Parameters:
    ///   - limit: In seconds.
    ///   - end: Called once with the addresses, none if the lookup fails.
    init?(
        _ target: Target, limit: Double, _ client: Client, end: @escaping ([HostAddress]) -> Void
    ) {
        let route = Route(
            target: target, policy: AddressPolicy(allowsPrivateAddresses: false))
        guard let handle = route.makeHandle(client, AddressCheck(route)) else { return nil }
        self.handle = handle
        loop = client.loop
        handle.set(CURLOPT_CONNECT_ONLY, 1)
        handle.set(CURLOPT_CONNECTTIMEOUT_MS, Int(limit * 1000))
        handle.permits = { [unowned self] address in
            if !addresses.contains(address) { addresses.append(address) }
            return false
        }
        handle.finish = { [unowned self] _ in end(addresses) }
    }

    func begin() { loop.add(handle) }

    func cancel() { loop.remove(handle) }
}
