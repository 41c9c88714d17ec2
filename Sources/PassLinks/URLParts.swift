import Bytes

/// The decoded parts of an http URL (RFC 3986, 3).
struct URLParts {
    /// In lower case, without user, port, `www.` and trailing dot.
    let host: [UInt8]
    /// The path segments, without parameters (`;jsessionid=1`).
    let segments: [[UInt8]]
    let parameters: [(name: [UInt8], value: [UInt8])]
    /// The path, not decoded.
    let path: [UInt8]

    /// Nil unless it is an http or https URL; the scheme before `//` is optional.
    init?(_ url: [UInt8]) {
        let source = url.span
        guard let start = URLParts.authority(source) else { return nil }
        let end = url.firstIndex(of: UInt8(ascii: "#")) ?? url.endIndex
        guard start < end else { return nil }
        let question = url[start..<end].firstIndex(of: UInt8(ascii: "?")) ?? end
        let slash = url[start..<question].firstIndex(of: UInt8(ascii: "/")) ?? question
        host = URLParts.host(url[start..<slash])
        guard !host.isEmpty else { return nil }
        path = Array(url[slash..<question])
        segments = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .dropFirst().map { segment in
                let name = segment.prefix { $0 != UInt8(ascii: ";") }
                return URLParts.decoded(name.isEmpty ? segment : name)
            }
        parameters = url[min(question + 1, end)..<end]
            .split { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: ";") }
            .map { parameter in
                let mark = parameter.firstIndex(of: UInt8(ascii: "=")) ?? parameter.startIndex
                let isNamed = mark > parameter.startIndex
                return (
                    URLParts.decoded(parameter[..<mark]),
                    URLParts.decoded(isNamed ? parameter[(mark + 1)...] : parameter, plus: 0x20)
                )
            }
    }

    /// The start of the authority: after `http://`, `https://` or `//`.
    static func authority(_ source: Span<UInt8>) -> Int? {
        if source.hasPrefix(caseInsensitive: "http://", at: 0) { return 7 }
        if source.hasPrefix(caseInsensitive: "https://", at: 0) { return 8 }
        return source.hasPrefix("//", at: 0) ? 2 : nil
    }

    private static func host(_ authority: ArraySlice<UInt8>) -> [UInt8] {
        var host = authority
        if let at = host.lastIndex(of: UInt8(ascii: "@")) { host = host[(at + 1)...] }
        // The colons of an IPv6 address are in brackets.
        if host.first != UInt8(ascii: "["), let colon = host.firstIndex(of: UInt8(ascii: ":")) {
            host = host[..<colon]
        }
        if host.last == UInt8(ascii: ".") { host = host.dropLast() }
        let name = host.map(\.asciiLowercased)
        return name.span.hasPrefix("www.", at: 0) ? Array(name.dropFirst(4)) : name
    }

    /// Removes one level of percent-encoding (RFC 3986, 2.1); in forms, `+` stands for a space.
    static func decoded(_ text: ArraySlice<UInt8>, plus: UInt8 = UInt8(ascii: "+")) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(text.count)
        var index = text.startIndex
        while index < text.endIndex {
            let byte = text[index]
            if byte == UInt8(ascii: "%"), index + 2 < text.endIndex,
                let high = text[index + 1].hexadecimalValue,
                let low = text[index + 2].hexadecimalValue
            {
                decoded.append(high << 4 | low)
                index += 3
            } else {
                decoded.append(byte == UInt8(ascii: "+") ? plus : byte)
                index += 1
            }
        }
        return decoded
    }
}
