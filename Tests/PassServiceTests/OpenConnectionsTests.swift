import Testing

@testable import PassService

@Suite("The connections of each client are counted")
struct OpenConnectionsTests {
    @Test("until they are closed; connections without a client count only in total")
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

    @Test("a site with many IPv6 networks is also counted as a whole")
    func sites() throws {
        let connections = OpenConnections()
        for number in 1...400 {
            let address = ClientAddress("2001:db8:1:\(String(number, radix: 16))::1")?.client
            #expect(connections.opened(by: address) == max(1, number / 4))
        }
        #expect(connections.opened(by: ClientAddress("2001:db8:2:1::1")?.client) == 1)
        for number in 1...400 {
            let address = ClientAddress("2001:db8:1:\(String(number, radix: 16))::1")?.client
            connections.closed(by: address)
        }
        #expect(connections.opened(by: ClientAddress("2001:db8:1:1::1")?.client) == 1)
    }
}
