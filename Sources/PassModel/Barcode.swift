public import Foundation

/// A barcode on the pass.
///
/// ```swift
/// if let barcode = pass.barcode { print(barcode.format, barcode.altText ?? barcode.message) }
/// ```
public struct Barcode: Sendable, Hashable {
    /// The symbology.
    public let format: BarcodeFormat
    /// The encoded message, as text.
    public let message: String
    /// The IANA name of the charset for encoding the message, as in the pass.
    public let messageEncoding: String
    /// Text to display near the barcode, in case it cannot be scanned.
    public internal(set) var altText: String?

    /// The bytes to encode: the message in its charset, in ISO 8859-1 if the charset is unknown, or
    /// in UTF-8 if the charset cannot represent the message.
    public var messageData: Data {
        // VIOLATIONS.md, P26: a charset that is unknown, or cannot represent the message.
        do throws(MessageCharsetError) {
            return Data(try MessageCharset.bytes(of: message, in: messageEncoding))
        } catch {
            let latin1 = try? MessageCharset.bytes(of: message, in: "iso-8859-1")
            return Data((error == .unknown ? latin1 : nil) ?? Array(message.utf8))
        }
    }

    /// Why the message is not encoded as declared; nil if it is.
    package var charsetError: MessageCharsetError? {
        do throws(MessageCharsetError) {
            _ = try MessageCharset.bytes(of: message, in: messageEncoding)
            return nil
        } catch {
            return error
        }
    }

    package init(format: BarcodeFormat, message: String, messageEncoding: String) {
        self.format = format
        self.message = message
        self.messageEncoding = messageEncoding
    }
}

/// The barcode formats of Wallet. The raw value is that of the key `format`.
///
/// For example: `let qrCode = pass.barcodes.first { $0.format == .qr }`
public enum BarcodeFormat: String, Sendable, CaseIterable, Codable {
    /// A QR code (ISO/IEC 18004).
    case qr = "PKBarcodeFormatQR"
    /// A PDF417 (ISO/IEC 15438).
    case pdf417 = "PKBarcodeFormatPDF417"
    /// An Aztec code (ISO/IEC 24778).
    case aztec = "PKBarcodeFormatAztec"
    /// A Code 128 (ISO/IEC 15417).
    case code128 = "PKBarcodeFormatCode128"
    /// A Code 39 (ISO/IEC 16388).
    case code39 = "PKBarcodeFormatCode39"
    /// A Codabar.
    case codabar = "PKBarcodeFormatCodabar"
    /// An EAN-13 (ISO/IEC 15420): 13 digits, the last one a check digit.
    case ean13 = "PKBarcodeFormatEAN13"
    /// An Interleaved 2 of 5 (ISO/IEC 16390): pairs of digits.
    case interleaved2of5 = "PKBarcodeFormatI2of5"
}
