internal import Synchronization

/// The open connections of a server.
package final class OpenConnections: Sendable {
    private struct Counts {
        var all = 0
        var ofClients: [ClientAddress: Int] = [:]
    }
    private let counts = Mutex(Counts())

    package init() {}

    package var count: Int { counts.withLock(\.all) }

    /// - Parameter client: Nil for a connection that is not counted for a client.
    /// - Returns: The number of connections of this client, with the new one.
    func opened(by client: ClientAddress?) -> Int {
        counts.withLock { counts in
            counts.all += 1
            guard let client else { return 1 }
            counts.ofClients[client, default: 0] += 1
            return counts.ofClients[client] ?? 1
        }
    }

    func closed(by client: ClientAddress?) {
        counts.withLock { counts in
            counts.all -= 1
            guard let client, let count = counts.ofClients[client] else { return }
            counts.ofClients[client] = count > 1 ? count - 1 : nil
        }
    }
}
