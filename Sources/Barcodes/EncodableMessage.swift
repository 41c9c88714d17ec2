internal import PassModel

/// A message limited to the characters of its format, as defined by the format's standard.
struct EncodableMessage {
    let format: BarcodeFormat
    /// Never empty.
    let octets: [UInt8]
    /// The length without characters that the format adds.
    let length: Int

    /// The largest capacity of all formats: the digits of the largest QR code.
    static let longest = 7089

    init(_ message: [UInt8], as format: BarcodeFormat) throws(BarcodeError) {
        if message.isEmpty { throw .empty }
        if message.count > EncodableMessage.longest {
            throw .tooLong(format, octets: message.count)
        }
        self.format = format
        length = message.count
        switch format {
        case .qr, .pdf417, .aztec, .code128: octets = message
        // Lower case is not converted: scanners would read a different message.
        case .code39: octets = try message.only(isInCode39, format)
        case .codabar: octets = try enclosed(message)
        case .ean13:
            // VIOLATIONS.md, P28: 12 digits.
            octets = try message.only(isDigit, format)
            if octets.count != 12 && octets.count != 13 { throw .notThirteenDigits }
        case .interleaved2of5:
            // Digits are encoded in pairs; ISO/IEC 16390 prepends a zero to an odd number of them.
            let digits = try message.only(isDigit, format)
            octets = digits.count.isMultiple(of: 2) ? digits : [UInt8(ascii: "0")] + digits
        }
    }
}

/// Codabar's start and stop characters are part of what a scanner reads. VIOLATIONS.md, P27: a
/// message without them gets the most common ones.
private func enclosed(_ message: [UInt8]) throws(BarcodeError) -> [UInt8] {
    guard let first = message.first, let last = message.last, message.count > 2, isGuard(first),
        isGuard(last)
    else {
        let guardian = [UInt8(ascii: "A")]
        return try guardian + message.only(isInCodabar, .codabar) + guardian
    }
    let middle = try Array(message[1..<message.count - 1]).only(isInCodabar, .codabar)
    return [first] + middle + [last]
}

extension [UInt8] {
    fileprivate func only(
        _ isInAlphabet: (UInt8) -> Bool, _ format: BarcodeFormat
    ) throws(BarcodeError) -> [UInt8] {
        guard allSatisfy(isInAlphabet) else { throw .unencodable(format) }
        return self
    }
}

private func isDigit(_ octet: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= octet
}

private func isInCode39(_ octet: UInt8) -> Bool {
    isDigit(octet) || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= octet
        || "-. $/+%".utf8.contains(octet)
}

private func isInCodabar(_ octet: UInt8) -> Bool {
    isDigit(octet) || "-$:/.+".utf8.contains(octet)
}

private func isGuard(_ octet: UInt8) -> Bool {
    UInt8(ascii: "A")...UInt8(ascii: "D") ~= octet
}
