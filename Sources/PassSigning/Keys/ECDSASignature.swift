/// An ECDSA signature of a token, two numbers of equal length, in DER (RFC 3279, 2.2.3); nil if it
/// has another form.
func ecdsaDER(_ value: [UInt8]) -> [UInt8]? {
    guard !value.isEmpty, value.count % 2 == 0 else { return nil }
    return ecdsaDER(Array(value.prefix(value.count / 2)), Array(value.suffix(value.count / 2)))
}

/// An ECDSA signature in DER from its two numbers, each positive and without sign.
func ecdsaDER(_ first: [UInt8], _ second: [UInt8]) -> [UInt8]? {
    let contents = derInteger(first) + derInteger(second)
    // With P-521, each number has up to 66 bytes.
    guard contents.count < 0x100 else { return nil }
    let length = contents.count < 0x80 ? [] : [0x81 as UInt8]
    return [0x30] + length + [UInt8(contents.count)] + contents
}

private func derInteger(_ number: [UInt8]) -> [UInt8] {
    let digits = number.drop { $0 == 0 }
    let isHigh = digits.first.map { $0 >= 0x80 } ?? true
    let value = (isHigh ? [0] : []) + digits
    return [0x02, UInt8(truncatingIfNeeded: value.count)] + value
}
