// Minimal version, to be replaced when branches are merged.
public import Foundation

extension PassIdentity {
    /// The URL of the pass: `passconduit:pass/TYPE/SERIAL`, both percent-encoded as UTF-8. In
    /// PassKit: `PKPass.passURL`.
    public var passURL: URL {
        let path = [passTypeIdentifier, serialNumber].map(encoded).joined(separator: "/")
        return URL(string: "passconduit:pass/\(path)") ?? URL(fileURLWithPath: "/")
    }

    /// The identity in a URL such as ``passURL``; nil for another URL.
    ///
    /// For example: `if let identity = PassIdentity(passURL: url) { print(identity.serialNumber) }`
    public init?(passURL: URL) {
        let text = passURL.absoluteString
        guard let colon = text.firstIndex(of: ":"), text[..<colon].lowercased() == "passconduit"
        else { return nil }
        let parts = text[text.index(after: colon)...].split(
            separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "pass",
            let type = parts[1].removingPercentEncoding, !type.isEmpty,
            let serial = parts[2].removingPercentEncoding, !serial.isEmpty
        else { return nil }
        self.init(passTypeIdentifier: type, serialNumber: serial)
    }
}

private func encoded(_ text: String) -> String {
    let unreserved = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
    return text.utf8.map { byte in
        unreserved.contains(byte)
            ? String(UnicodeScalar(byte))
            : "%" + String(byte >> 4, radix: 16, uppercase: true)
                + String(byte & 15, radix: 16, uppercase: true)
    }.joined()
}
