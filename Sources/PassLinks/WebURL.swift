import Bytes

/// An absolute http or https URL, normalised as browsers do (https://url.spec.whatwg.org): no dot
/// segments, no fragment. VIOLATIONS.md, H14: no outer white space or inner line ends, and
/// characters not allowed by RFC 3986, 3 encoded. H16: `\` as `/`.
package struct WebURL: Sendable, Hashable {
    package let isSecure: Bool
    /// The user name and password before the host, encoded; empty if there are none.
    package let user: String
    /// In lower case. An IPv6 address is in brackets; non-ASCII letters are unchanged, since
    /// conversion for DNS (RFC 5891) needs the tables of another module.
    package var host: String
    /// Nil for the scheme's default port.
    package let port: UInt16?
    /// Begins with a slash.
    package let path: String
    package let query: String?

    /// Nil unless the text is an http or https URL with a host.
    package init?(_ text: [UInt8]) {
        let url = WebURL.cleaned(text[...])
        let source = url.span
        isSecure = source.hasPrefix(caseInsensitive: "https:", at: 0)
        guard isSecure || source.hasPrefix(caseInsensitive: "http:", at: 0) else { return nil }
        let rest = url[(isSecure ? 6 : 5)...].prefix { $0 != UInt8(ascii: "#") }
        let behindSlashes = rest.drop(while: WebURL.isSlash)
        guard behindSlashes.startIndex - rest.startIndex >= 2 else { return nil }

        let authority = behindSlashes.prefix { !WebURL.isSlash($0) && $0 != UInt8(ascii: "?") }
        let at = authority.lastIndex(of: UInt8(ascii: "@"))
        user = at.map { WebURL.encoded(authority[..<$0], and: ":") } ?? ""
        let place = at.map { authority[($0 + 1)...] } ?? authority
        guard let (host, digits) = WebURL.split(place), let name = WebURL.host(host) else {
            return nil
        }
        self.host = name
        guard digits.isEmpty || UInt16(String(streamSafe: digits)) != nil,
            digits.allSatisfy(\.isASCIIDigit)
        else { return nil }
        let port = UInt16(String(streamSafe: digits))
        self.port = port == (isSecure ? 443 : 80) ? nil : port

        let path = behindSlashes[authority.endIndex...].prefix { $0 != UInt8(ascii: "?") }
        self.path = WebURL.encoded(WebURL.withoutDots(path)[...], and: ":@/")
        query =
            path.endIndex < behindSlashes.endIndex
            ? WebURL.encoded(behindSlashes[(path.endIndex + 1)...], and: ":@/?") : nil
    }

    package init?(_ text: String) {
        self.init(Array(text.utf8))
    }

    package var text: String { origin + request }

    /// The URL without user name and password, for display and records.
    package var shown: String { origin(for: "") + request }

    /// Scheme, name, password, host and port.
    var origin: String { origin(for: user.isEmpty ? "" : "\(user)@") }

    /// Path and query.
    private var request: String { path + (query.map { "?\($0)" } ?? "") }

    private func origin(for user: String) -> String {
        "\(isSecure ? "https" : "http")://\(user)\(host)\(port.map { ":\($0)" } ?? "")"
    }

    /// The text without surrounding white space and inner line ends and tabs.
    static func cleaned(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var text = text
        while let last = text.last, last <= 0x20 { text.removeLast() }
        text = text.drop { $0 <= 0x20 }
        return text.filter { $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
    }

    static func isSlash(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\")
    }

    /// The host, and the digits after its colon.
    private static func split(
        _ place: ArraySlice<UInt8>
    ) -> (host: ArraySlice<UInt8>, port: ArraySlice<UInt8>)? {
        // The colons of an IPv6 address are in brackets.
        let bracket = place.lastIndex(of: UInt8(ascii: "]")) ?? place.startIndex
        guard let colon = place[bracket...].firstIndex(of: UInt8(ascii: ":")) else {
            return (place, [])
        }
        return (place[..<colon], place[(colon + 1)...])
    }

    private static func host(_ text: ArraySlice<UInt8>) -> String? {
        if text.first == UInt8(ascii: "["), text.last == UInt8(ascii: "]") {
            let address = text.dropFirst().dropLast()
            let isAddress = address.allSatisfy {
                $0.hexadecimalValue != nil || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".")
            }
            guard isAddress, address.contains(UInt8(ascii: ":")) else { return nil }
            return String(streamSafe: text.map(\.asciiLowercased))
        }
        let name = URLParts.decoded(text).map(\.asciiLowercased)
        guard !name.isEmpty, !name.contains(where: isForbiddenInHost),
            !StreamSafeText.hasLongRun(name.span)
        else { return nil }
        return String(validatingStreamSafe: name)
    }

    /// The forbidden domain code points of the WHATWG standard.
    private static func isForbiddenInHost(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte == 0x7F || "#/:<>?@[\\]^|%".utf8.contains(byte)
    }

    /// The path without dot segments (RFC 3986, 5.2.4), including encoded ones.
    private static func withoutDots(_ path: ArraySlice<UInt8>) -> [UInt8] {
        var kept: [ArraySlice<UInt8>] = []
        let segments = path.split(omittingEmptySubsequences: false, whereSeparator: isSlash)
            .dropFirst()
        for (place, segment) in segments.enumerated() {
            let isLast = place == segments.count - 1
            switch dots(segment) {
            case 1: if isLast { kept.append([]) }
            case 2:
                _ = kept.popLast()
                if isLast { kept.append([]) }
            default: kept.append(segment)
            }
        }
        return kept.isEmpty ? [UInt8(ascii: "/")] : kept.flatMap { [UInt8(ascii: "/")] + $0 }
    }

    /// The number of dots in a segment that consists only of dots; otherwise 0.
    private static func dots(_ segment: ArraySlice<UInt8>) -> Int {
        guard segment.count <= 6 else { return 0 }
        let text = URLParts.decoded(segment)
        return text.allSatisfy { $0 == UInt8(ascii: ".") } ? text.count : 0
    }

    /// Encodes everything except unreserved characters, sub-delimiters and `marks` (RFC 3986, 2);
    /// also a `%` without digits, which the next parser would encode again.
    private static func encoded(_ text: ArraySlice<UInt8>, and marks: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        encoded.reserveCapacity(text.count)
        for index in text.indices {
            let byte = text[index]
            let isOfCode =
                byte == UInt8(ascii: "%") && index + 2 < text.endIndex
                && text[index + 1].hexadecimalValue != nil
                && text[index + 2].hexadecimalValue != nil
            if isOfCode || byte.isASCIILetter || byte.isASCIIDigit
                || "-._~!$&'()*+,;=".utf8.contains(byte) || marks.utf8.contains(byte)
            {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(streamSafe: encoded)
    }
}
