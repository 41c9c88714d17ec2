/// A block of IP addresses with a common prefix.
struct AddressBlock: Sendable {
    let first: HostAddress
    let bits: Int

    /// In CIDR notation: `192.0.2.0/24`.
    init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let start = parts.first, let first = HostAddress(numeric: String(start)) else {
            return nil
        }
        let most = first.bytes.count * 8
        guard let bits = parts.count > 1 ? Int(parts[1]) : most, 0...most ~= bits else {
            return nil
        }
        self.first = first
        self.bits = bits
    }

    func contains(_ address: HostAddress) -> Bool {
        guard address.bytes.count == first.bytes.count else { return false }
        let whole = bits / 8
        guard address.bytes.prefix(whole) == first.bytes.prefix(whole) else { return false }
        guard bits % 8 != 0 else { return true }
        return (address.bytes[whole] ^ first.bytes[whole]) >> UInt8(8 - bits % 8) == 0
    }
}
