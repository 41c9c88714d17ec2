package import PassModel

/// Why a message cannot be drawn as a barcode.
package enum BarcodeError: Error, Hashable, Codable {
    case empty
    /// The message exceeds the capacity of the format; `octets` is its length.
    case tooLong(BarcodeFormat, octets: Int)
    /// The message contains characters that the format cannot encode.
    case unencodable(BarcodeFormat)
    /// The message is not 12 digits, or 13 with the check digit.
    case notThirteenDigits
    /// The check digit is wrong.
    case wrongCheckDigit
    /// libzint failed with this error code.
    case refused(BarcodeFormat, code: Int)
}
