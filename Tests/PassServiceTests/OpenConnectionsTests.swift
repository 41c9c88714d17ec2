import Testing

@testable import PassService

@Suite("The connections of each client are counted")
struct OpenConnectionsTests {
    @Test("until they are closed; those without a client count for all only")
    func counts() throws {
        let connections = OpenConnections()
        let one = ClientAddress("203.0.113.7")
        let two = ClientAddress("203.0.113.8")
        let numbers = [one, two, one, nil, nil].map { connections.opened(by: $0) }
        #expect(numbers == [1, 1, 2, 1, 1])
        #expect(connections.count == 5)
        for each in [one, one, nil] { connections.closed(by: each) }
        #expect(connections.opened(by: one) == 1)
        #expect(connections.count == 3)
    }
}
