internal import Bytes
internal import Foundation
internal import MailSource

/// The path in a `file:` URL (RFC 8089): `file:/path`, `file:///path`, `file://localhost/path`.
struct FileURL {
    let path: Path

    /// VIOLATIONS.md, H21: characters that are not percent-encoded stand for themselves, even `?`
    /// and `#`; file URLs have no query.
    init(_ url: [UInt8]) throws(UnreadableWord) {
        var rest = url.dropFirst("file:".utf8.count)
        if rest.starts(with: Array("//".utf8)) {
            rest = rest.dropFirst(2)
            let host = rest.prefix { $0 != UInt8(ascii: "/") }
            rest = rest.dropFirst(host.count)
            guard FileURL.isHere(String(streamSafe: host)) else {
                throw .onAnotherComputer
            }
        }
        guard rest.first == UInt8(ascii: "/"), let path = decoded(rest) else {
            throw .notFileURL
        }
        self.path = Path(path)
    }

    /// Whether a host name means this computer; some file managers include it.
    private static func isHere(_ host: String) -> Bool {
        let host = host.lowercased()
        return host.isEmpty || host == "localhost"
            || host == ProcessInfo.processInfo.hostName.lowercased()
    }
}

/// Percent-decodes (RFC 3986, 2.1); nil for an invalid encoding or a NUL.
private func decoded(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    var path: [UInt8] = []
    var rest = bytes
    while let byte = rest.popFirst() {
        guard byte == UInt8(ascii: "%") else {
            if byte == 0 { return nil }
            path.append(byte)
            continue
        }
        let digits = [rest.popFirst(), rest.popFirst()].compactMap { $0?.hexadecimalValue }
        guard digits.count == 2, digits != [0, 0] else { return nil }
        path.append(digits[0] << 4 | digits[1])
    }
    return path
}
