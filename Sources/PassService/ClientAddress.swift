internal import Glibc
internal import NIOCore

/// An IP address. IPv4 addresses are stored as `::ffff:192.0.2.1` (RFC 4291, 2.5.5.2), so that
/// sockets of both families report the same address.
struct ClientAddress: Hashable, Sendable {
    let high: UInt64
    let low: UInt64

    private static let mapped: UInt64 = 0xFFFF << 32

    /// Nil for the address of a Unix socket.
    init?(_ address: SocketAddress) {
        guard let text = address.ipAddress else { return nil }
        self.init(text)
    }

    /// Nil if the text is not an address.
    init?(_ text: some StringProtocol) {
        let text = String(text)
        var ipv4 = in_addr()
        if unsafe inet_pton(AF_INET, text, &ipv4) == 1 {
            self.init(high: 0, low: Self.mapped | UInt64(UInt32(bigEndian: ipv4.s_addr)))
            return
        }
        var ipv6 = in6_addr()
        guard unsafe inet_pton(AF_INET6, text, &ipv6) == 1 else { return nil }
        let bytes = unsafe withUnsafeBytes(of: ipv6) { bytes in unsafe Array(bytes) }
        func number(_ part: ArraySlice<UInt8>) -> UInt64 {
            part.reduce(0) { $0 << 8 | UInt64($1) }
        }
        self.init(high: number(bytes[..<8]), low: number(bytes[8...]))
    }

    private init(high: UInt64, low: UInt64) {
        (self.high, self.low) = (high, low)
    }

    var isIPv4: Bool { high == 0 && low >> 32 == 0xFFFF }

    var isLoopback: Bool { isIPv4 ? low >> 24 & 0xFF == 127 : high == 0 && low == 1 }

    /// The network of one client: an IPv4 address, or the first 64 bits of an IPv6 address, since a
    /// host can choose the other bits itself (RFC 8981).
    var client: ClientAddress { isIPv4 ? self : ClientAddress(high: high, low: 0) }

    /// The IPv6 network of 48 bits that a provider may assign to one customer (RFC 6177); nil for
    /// IPv4.
    var site: ClientAddress? { isIPv4 ? nil : prefix(48) }

    /// The address with all bits after the prefix set to 0.
    func prefix(_ length: Int) -> ClientAddress {
        func mask(_ bits: Int) -> UInt64 { bits <= 0 ? 0 : ~0 << UInt64(64 - min(bits, 64)) }
        return ClientAddress(high: high & mask(length), low: low & mask(length - 64))
    }
}

extension ClientAddress: CustomStringConvertible {
    var description: String {
        if isIPv4 {
            return (0..<4).map { "\(low >> (24 - 8 * UInt64($0)) & 0xFF)" }.joined(separator: ".")
        }
        return [high, low].map { half in
            (0..<4).map { String(half >> (48 - 16 * UInt64($0)) & 0xFFFF, radix: 16) }
                .joined(separator: ":")
        }.joined(separator: ":")
    }
}
