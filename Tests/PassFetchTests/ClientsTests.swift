import Fetching
import NIOPosix
import Testing

@testable import PassFetch

@Suite("Routes with an open connection are tried first")
struct ClientsTests {
    private static func route(_ address: String, host: String = "a.example") -> Route {
        Route(host: host, address: HostAddress(numeric: address), isSecure: false)
    }

    /// They live as long as the process, as in the program: nothing shuts them down.
    private static func clients() -> Clients {
        let clients = Clients(
            FetchConfiguration(), on: MultiThreadedEventLoopGroup.singleton.next())
        return unsafe Unmanaged.passRetained(clients).takeUnretainedValue()
    }

    @Test("known routes come first, the others keep their order")
    func order() async throws {
        let routes = ["192.0.2.1", "192.0.2.2", "192.0.2.3"].map { Self.route($0) }
        let clients = Self.clients()
        #expect(clients.knownFirst(routes) == routes)
        try await clients.withClient(for: routes[1]) { _, _ in }
        #expect(clients.knownFirst(routes) == [routes[1], routes[0], routes[2]])
    }

    @Test("a route that becomes known during the sorting is not lost")
    func together() async throws {
        let clients = Self.clients()
        for number in 0..<5000 {
            let route = Self.route("192.0.2.1", host: "\(number).example")
            try await withThrowingTaskGroup(of: [Route].self) { tasks in
                for _ in 0..<4 {
                    tasks.addTask {
                        let routes = clients.knownFirst([route])
                        try await clients.withClient(for: route) { _, _ in }
                        return routes
                    }
                }
                for try await routes in tasks { #expect(routes == [route]) }
            }
        }
    }
}
