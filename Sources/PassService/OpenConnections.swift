internal import Synchronization

/// The open connections of a server.
package final class OpenConnections: Sendable {
    private struct Counts {
        var all = 0
        var ofClients: [ClientAddress: Int] = [:]
        var ofSites: [ClientAddress: Int] = [:]
    }
    private let counts = Mutex(Counts())

    package init() {}

    package var count: Int { counts.withLock(\.all) }

    /// - Parameter client: Nil for a connection that counts towards no client.
    /// - Returns: The number of connections of this client, including the new one, or a quarter of
    ///   the connections of its site, if that is more.
    func opened(by client: ClientAddress?) -> Int {
        counts.withLock { counts in
            counts.all += 1
            guard let client else { return 1 }
            counts.ofClients[client, default: 0] += 1
            let own = counts.ofClients[client] ?? 1
            guard let site = client.site else { return own }
            counts.ofSites[site, default: 0] += 1
            return max(own, (counts.ofSites[site] ?? 1) / 4)
        }
    }

    func closed(by client: ClientAddress?) {
        counts.withLock { counts in
            counts.all -= 1
            guard let client else { return }
            Self.decrease(&counts.ofClients, client)
            if let site = client.site { Self.decrease(&counts.ofSites, site) }
        }
    }

    private static func decrease(
        _ counts: inout [ClientAddress: Int], _ address: ClientAddress
    ) {
        guard let count = counts[address] else { return }
        counts[address] = count > 1 ? count - 1 : nil
    }
}
