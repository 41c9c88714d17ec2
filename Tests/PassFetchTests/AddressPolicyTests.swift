import Fetching
import Testing

@testable import PassFetch

/// Expected: the column "Globally Reachable" of the IANA IPv4 and IPv6 Special-Purpose Address
/// Registries, for the first and last address of each block and their neighbours.
@Suite("Connections are made to globally reachable addresses only")
struct AddressPolicyTests {
    @Test(
        "addresses that the registries list as globally reachable, or do not list",
        arguments: [
            "1.0.0.0", "9.255.255.255", "11.0.0.0", "8.8.8.8", "100.63.255.255", "100.128.0.0",
            "126.255.255.255", "128.0.0.0", "169.253.255.255", "169.255.0.0", "168.63.129.15",
            "168.63.129.17", "172.15.255.255",
            "172.32.0.0", "192.0.0.9", "192.0.0.10", "192.0.1.0", "192.0.3.0", "192.31.196.1",
            "192.52.193.1", "192.88.98.255", "192.88.100.0", "192.167.255.255", "192.169.0.0",
            "192.175.48.1", "198.17.255.255", "198.20.0.0", "198.51.99.255", "198.51.101.0",
            "203.0.112.255", "203.0.114.0", "223.255.255.255",
            "2000::1", "2001:1::1", "2001:1::2", "2001:1::3", "2001:3::1", "2001:4:112::1",
            "2001:20::1", "2001:2f:ffff::1", "2001:30::1", "2001:3f:ffff::1", "2001:200::1",
            "2001:db7:ffff::1", "2001:db9::1", "2606:4700::1111", "2620:4f:8000::1",
            "2a00:1450:4001::1", "3ffe:ffff::1", "3fff:1000::1",
        ])
    func reachable(text: String) throws {
        let address = try #require(HostAddress(numeric: text))
        #expect(AddressKind(of: address) == nil)
        #expect(AddressPolicy(allowsPrivateAddresses: false).permits(address))
    }

    @Test(
        "all other addresses",
        arguments: [
            ("0.0.0.0", AddressKind.unspecified), ("0.0.0.1", .thisNetwork),
            ("0.255.255.255", .thisNetwork),
            ("10.0.0.0", .privateUse), ("10.255.255.255", .privateUse),
            ("100.64.0.0", .shared), ("100.127.255.255", .shared),
            ("127.0.0.0", .loopback), ("127.0.0.1", .loopback), ("127.255.255.255", .loopback),
            ("169.254.0.0", .linkLocal), ("169.254.169.254", .linkLocal),
            ("169.254.255.255", .linkLocal),
            ("168.63.129.16", .platform), ("::ffff:168.63.129.16", .platform),
            ("172.16.0.0", .privateUse), ("172.31.255.255", .privateUse),
            ("192.0.0.0", .protocols), ("192.0.0.8", .protocols), ("192.0.0.170", .protocols),
            ("192.0.0.255", .protocols), ("192.0.2.0", .documentation),
            ("192.0.2.255", .documentation), ("192.88.99.1", .protocols),
            ("192.168.0.0", .privateUse), ("192.168.255.255", .privateUse),
            ("198.18.0.0", .benchmarking), ("198.19.255.255", .benchmarking),
            ("198.51.100.1", .documentation), ("203.0.113.255", .documentation),
            ("224.0.0.1", .multicast), ("239.255.255.255", .multicast),
            ("240.0.0.0", .reserved), ("255.255.255.254", .reserved),
            ("255.255.255.255", .broadcast),
            ("::", .unspecified), ("::1", .loopback), ("::2", .reserved),
            ("100::1", .protocols), ("100:0:0:1::1", .protocols),
            ("64:ff9b:1::8.8.8.8", .protocols),
            ("2001:1::", .protocols), ("2001:1::4", .protocols), ("2001:2::1", .benchmarking),
            ("2001:4:111::1", .protocols), ("2001:10::1", .protocols), ("2001:40::1", .protocols),
            ("2001:1ff:ffff::1", .protocols),
            ("2001:db8::1", .documentation), ("2001:db8:ffff::1", .documentation),
            ("3fff::1", .documentation), ("3fff:fff::1", .documentation), ("5f00::1", .protocols),
            ("4000::1", .reserved), ("1fff::1", .reserved), ("fbff::1", .reserved),
            ("fc00::1", .privateUse), ("fd00:ec2::254", .privateUse),
            ("fdff:ffff::1", .privateUse), ("fe00::1", .reserved), ("fe80::1", .linkLocal),
            ("febf:ffff::1", .linkLocal), ("fec0::1", .reserved), ("ff02::1", .multicast),
            ("ff0e::1", .multicast),
        ])
    func forbidden(text: String, kind: AddressKind) throws {
        let address = try #require(HostAddress(numeric: text))
        #expect(AddressKind(of: address) == kind)
        #expect(!AddressPolicy(allowsPrivateAddresses: false).permits(address))
        #expect(AddressPolicy(allowsPrivateAddresses: true).permits(address))
    }

    @Test(
        "an IPv6 address is checked by the IPv4 address embedded in it",
        arguments: [
            // RFC 4291, 2.5.5.2.
            ("::ffff:8.8.8.8", nil), ("::ffff:127.0.0.1", AddressKind.loopback),
            ("::ffff:a9fe:a9fe", .linkLocal),
            // RFC 4291, 2.5.5.1, deprecated: refused whatever is embedded.
            ("::8.8.8.8", .reserved), ("::127.0.0.1", .reserved),
            // RFC 6052.
            ("64:ff9b::8.8.8.8", nil), ("64:ff9b::10.0.0.1", .privateUse),
            ("64:ff9b::a9fe:a9fe", .linkLocal), ("64:ff9b:0:0:1::8.8.8.8", .reserved),
            // RFC 3056.
            ("2002:808:808::1", nil), ("2002:7f00:1::", .loopback),
            ("2002:c0a8:101::1", .privateUse),
            // RFC 4380, 4: the server's address, and the client's with its bits inverted.
            ("2001:0:808:808:0:0:f7f7:f7f7", nil),
            ("2001:0:808:808:0:0:80ff:fffe", .loopback),
            ("2001:0:a00:1:0:0:f7f7:f7f7", .privateUse),
        ])
    func embedded(text: String, kind: AddressKind?) throws {
        let address = try #require(HostAddress(numeric: text))
        #expect(AddressKind(of: address) == kind)
    }

    /// Expected: inet_aton(3) and `getent ahosts`.
    @Test(
        "an address is recognised in every notation",
        arguments: [
            ("127.1", "127.0.0.1"), ("0x7f.1", "127.0.0.1"), ("0177.0.0.1", "127.0.0.1"),
            ("2130706433", "127.0.0.1"), ("0x7f000001", "127.0.0.1"), ("010.8.8.8", "8.8.8.8"),
            ("1.2.3", "1.2.0.3"), ("0", "0.0.0.0"), ("2852039166", "169.254.169.254"),
            ("0:0:0:0:0:0:0:1", "::1"), ("::FFFF:7f00:1", "::ffff:127.0.0.1"),
        ])
    func notation(text: String, canonical: String) {
        #expect(HostAddress(numeric: text)?.description == canonical)
    }

    @Test(
        "names are not addresses",
        arguments: ["localhost", "a.example", "1.2.3.4.5", "256.1.1.1", "0x", "", "1.2.3.4 "])
    func names(text: String) {
        #expect(HostAddress(numeric: text) == nil)
    }

    @Test(
        "a block contains the addresses with its prefix",
        arguments: [
            ("192.0.2.0/24", "192.0.2.255", true), ("192.0.2.0/24", "192.0.3.0", false),
            ("172.16.0.0/12", "172.31.0.0", true), ("172.16.0.0/12", "172.32.0.0", false),
            ("0.0.0.0/0", "8.8.8.8", true), ("192.0.2.1/32", "192.0.2.1", true),
            ("192.0.2.1", "192.0.2.2", false), ("::/0", "8.8.8.8", false),
        ])
    func blocks(block: String, text: String, holds: Bool) throws {
        let address = try #require(HostAddress(numeric: text))
        #expect(try #require(AddressBlock(block)).contains(address) == holds)
    }

    @Test(
        "an impossible prefix length is not a block",
        arguments: ["192.0.2.0/33", "192.0.2.0/-1", "2001:db8::/129", "192.0.2.0/x", "a/8", "/8"])
    func noBlocks(text: String) {
        #expect(AddressBlock(text) == nil)
    }
}
