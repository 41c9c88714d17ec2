import Bytes
import MIME

/// A decoded `data:` URL (RFC 2397).
package struct DataURL: Sendable, Equatable {
    /// The media type with its parameters, as in Content-Type.
    package let contentType: String
    package let body: [UInt8]

    /// The largest body, in bytes.
    package static let limit = 64 << 20

    /// Whether a URL is a `data:` URL.
    package static func isData(_ url: some Collection<UInt8>) -> Bool {
        url.lazy.prefix(5).map(\.asciiLowercased).elementsEqual("data:".utf8)
    }

    /// Decodes a URL. VIOLATIONS.md, H20: white space is ignored and padding is optional.
    package init(_ url: [UInt8], limit: Int = limit) throws(DataURLError) {
        guard DataURL.isData(url), let comma = url.firstIndex(of: UInt8(ascii: ","))
        else { throw .noComma }
        // Drop the fragment.
        let rest = url[(comma + 1)...].prefix { $0 != UInt8(ascii: "#") }
        // Percent-encoding turns one byte into three, base64 three into four: twelve characters per
        // three bytes at most.
        guard rest.count / 12 <= limit else { throw .tooLarge(limit) }
        let (type, isBase64) = DataURL.type(url[5..<comma])
        contentType = type
        let text = URLParts.decoded(rest)
        body = isBase64 ? try DataURL.decodedBase64(text) : text
        guard body.count <= limit else { throw .tooLarge(limit) }
    }

    /// The beginning of the URL, for display and records.
    package static func shown(_ url: [UInt8]) -> String {
        let text = url.prefix(65).map { $0 > 0x20 && $0 < 0x7F ? $0 : UInt8(ascii: "?") }
        guard text.count > 64 else { return String(streamSafe: text) }
        return String(streamSafe: text.prefix(61)) + "..."
    }

    /// The media type before the comma, and whether base64 follows. VIOLATIONS.md, H20: `;base64`
    /// should come last.
    private static func type(_ text: ArraySlice<UInt8>) -> (type: String, isBase64: Bool) {
        var pieces = text.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
            .map { piece in
                let piece = URLParts.decoded(piece)
                return Array(piece[piece.span.trimmed(0..<piece.count)])
            }
        let count = pieces.count
        pieces.removeAll { $0.map(\.asciiLowercased).elementsEqual("base64".utf8) }
        let isBase64 = pieces.count < count
        // RFC 2397, 2: the default type is text/plain.
        if pieces.first?.isEmpty ?? true {
            let parameters = pieces.dropFirst()
            if parameters.isEmpty { return ("text/plain;charset=US-ASCII", isBase64) }
            pieces = [Array("text/plain".utf8)] + parameters
        }
        return (Charset.guess(Array(pieces.joined(separator: [UInt8(ascii: ";")]))), isBase64)
    }

    private static func decodedBase64(_ text: [UInt8]) throws(DataURLError) -> [UInt8] {
        // The URL-safe alphabet of RFC 4648, 5 occurs in `data:` URLs too.
        let digits = text.filter { !$0.isWhiteSpace }.map(Base64.digit(ofURL:))
        // Punctuation of the text around it.
        let end = digits.lastIndex { !"'\").,;]".utf8.contains($0) } ?? -1
        guard Base64.digitCount(digits.span.extracting(0..<end + 1)) != nil else { throw .noBase64 }
        return Base64.decode(digits.span, 0..<end + 1)
    }
}

/// Why a `data:` URL could not be decoded.
package enum DataURLError: Error, Hashable, Codable {
    case noComma
    case noBase64
    /// With the limit, in bytes.
    case tooLarge(Int)
}
