import Bytes

extension PartHeader {
    /// What HTTP says of a body by the values of these fields (RFC 9110, 8.3; RFC 6266), read as leniently
    /// as in mail: the same scripts write both.
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
        // Servers percent-encode the plain form too, as browsers read it; another reading is behind.
        let plain = header.names.filter { !PartHeader.isPercentEncoded($0) }
        self = header.named(plain + header.names.filter(PartHeader.isPercentEncoded))
    }

    /// The longest field that is read, in bytes.
    private static let longestField = 64 << 10

    /// A value as it was sent. RFC 9110, 5.5 has it in ASCII and ISO 8859-1 is the custom; servers send
    /// UTF-8, which is seen in what was read as that.
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
    /// That of a web page whose Content-Type has this value.
    package init(ofPage contentType: String?) {
        let value = HeaderValue(Array((contentType ?? "").utf8), limit: MIMELimits().parameters)
        self.init(isHTML: true, charset: value.parameters.texts(of: "charset").first ?? "")
    }
}
