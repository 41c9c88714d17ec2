internal import Synchronization

/// The number of open connections of a server.
package final class OpenConnections: Sendable {
    private let open = Atomic(0)

    package init() {}

    package var count: Int { open.load(ordering: .relaxed) }

    func opened() { open.add(1, ordering: .relaxed) }

    func closed() { open.subtract(1, ordering: .relaxed) }
}
