/// An IP address, or a network such as `10.0.0.0/8`. Lists the proxies in front of a web service.
///
/// ```swift
/// if let proxy = AddressRange("127.0.0.1") {
///     let responder = ServiceResponder(store, proxies: [proxy])
///     _ = responder
/// }
/// ```
public struct AddressRange: Sendable, Hashable {
    private let first: ClientAddress
    /// The length of the common prefix, in bits of 128.
    private let length: Int

    /// Parses an IPv4 or IPv6 address, with or without a prefix length (RFC 4632, 3.1); nil if the
    /// text is neither. Bits after the prefix are ignored.
    ///
    /// For example: `let proxies = ["127.0.0.1", "fd00::/8"].compactMap(AddressRange.init)`
    public init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = parts.first.flatMap({ ClientAddress($0) }) else { return nil }
        let bits = address.isIPv4 ? 32 : 128
        var length = bits
        if parts.count == 2 {
            guard let number = UInt8(parts[1]), number <= bits else { return nil }
            length = Int(number)
        }
        self.length = 128 - bits + length
        first = address.prefix(self.length)
    }

    func contains(_ address: ClientAddress) -> Bool {
        address.isIPv4 == first.isIPv4 && address.prefix(length) == first
    }
}
