import Bytes
import PassFixtures
import Testing

@testable import PassService

@Suite("Address ranges agree with Python's ipaddress")
struct AddressRangeTests {
    private static let addresses = [
        "0.0.0.0", "10.0.0.1", "10.255.255.255", "11.0.0.0", "127.0.0.1", "127.9.9.9",
        "203.0.113.7", "255.255.255.255", "::", "::1", "fd00::1", "fd12:3456::9", "fe00::",
        "2001:db8:0:1::1", "2001:db8:0:1:8000::", "2001:db8:0:2::",
    ]

    @Test(
        "for prefixes of every kind",
        arguments: [
            "10.0.0.0/8", "10.0.0.1", "127.0.0.0/9", "203.0.113.6/31", "0.0.0.0/0", "fd00::/8",
            "2001:db8:0:1::/64", "2001:db8:0:1::/65", "2001:db8::/47", "::1", "::/1",
            "255.255.255.255/32",
        ])
    func contents(range: String) throws {
        let program = """
            import ipaddress, sys
            network = ipaddress.ip_network(sys.argv[1], strict=False)
            print(*[ipaddress.ip_address(each) in network for each in sys.argv[2:]])
            """
        let arguments = ["python3", "-c", program, range] + Self.addresses
        let expected = String(streamSafe: try run(arguments, input: []))
            .split(whereSeparator: \.isWhitespace).map { $0 == "True" }
        let parsed = try #require(AddressRange(range))
        let contained = try Self.addresses.map { parsed.contains(try #require(ClientAddress($0))) }
        #expect(contained == expected)
    }

    @Test(
        "other texts are not addresses",
        arguments: [
            "", "/", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/8/8", "::/129", "10.0.0",
            "localhost", "10.0.0.256", "::g", "/8", " 10.0.0.1",
        ])
    func others(text: String) {
        #expect(AddressRange(text) == nil)
    }
}
