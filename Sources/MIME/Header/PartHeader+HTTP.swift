import Bytes

extension PartHeader {
    /// The header of an HTTP body with these field values (RFC 9110, 8.3; RFC 6266).
    /// VIOLATIONS.md, H9: parsed as leniently as in mail. H4: any media type.
    package init(contentType: String?, contentDisposition: String?) {
        var block = HeaderBlock()
        for (name, value) in [
            ("Content-Type", contentType), ("Content-Disposition", contentDisposition),
        ] {
            guard let value else { continue }
            var line = Array("\(name): ".utf8)
            line += PartHeader.octets(value).map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }
            _ = block.beginField(line.span, 0..<line.count, limit: PartHeader.longestField)
        }
        let header = PartHeader(block, limits: MIMELimits())
        // VIOLATIONS.md, H10: the plain form percent-encoded; the encoded reading comes last.
        let plain = header.names.filter { !PartHeader.isPercentEncoded($0) }
        self = header.named(plain + header.names.filter(PartHeader.isPercentEncoded))
    }

    /// The longest field that is read, in bytes.
    private static let longestField = 64 << 10

    /// The octets of a value as sent. VIOLATIONS.md, H1: UTF-8, which was decoded as ISO 8859-1.
    private static func octets(_ value: String) -> [UInt8] {
        let scalars = value.unicodeScalars
        let isASCII = scalars.allSatisfy { $0.value < 0x80 }
        let octets = scalars.compactMap { UInt8(exactly: $0.value) }
        return isASCII || octets.count < scalars.count ? Array(value.utf8) : octets
    }

    private static func isPercentEncoded(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        return bytes.indices.contains { index in
            bytes[index] == UInt8(ascii: "%") && index + 2 < bytes.count
                && bytes[index + 1].hexadecimalValue != nil
                && bytes[index + 2].hexadecimalValue != nil
        }
    }
}

extension TextForm {
    /// The form of a web page with this Content-Type.
    package init(ofPage contentType: String?) {
        let value = HeaderValue(Array((contentType ?? "").utf8), limit: MIMELimits().parameters)
        self.init(isHTML: true, charset: value.parameters.texts(of: "charset").first ?? "")
    }

    /// The form of a text with this Content-Type; nil if it is not readable text.
    package init?(contentType: String) {
        self.init(PartHeader(contentType: contentType, contentDisposition: nil))
        read(contentType: Array(contentType.utf8), limits: MIMELimits())
    }
}
