/// A string of SSH: its length in four bytes, and its bytes (RFC 4251, 5).
package func sshString(_ bytes: [UInt8]) -> [UInt8] {
    let count = UInt32(truncatingIfNeeded: bytes.count)
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) } + bytes
}

/// A positive number as `mpint` of SSH: two's complement without superfluous zeros.
func sshInteger(_ bytes: [UInt8]) -> [UInt8] {
    let digits = bytes.drop { $0 == 0 }
    let isHigh = digits.first.map { $0 >= 0x80 } ?? false
    return sshString((isHigh ? [0] : []) + digits)
}
