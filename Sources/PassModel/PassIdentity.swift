internal import Bytes
public import Foundation

/// The identity of a pass, shared by all its versions.
///
/// Compared by bytes, as in the index of a library. Swift strings are equal if canonically
/// equivalent, such as `é` in one scalar or two; to an issuer, these are two serial numbers.
///
/// ```swift
/// var seen: Set<PassIdentity> = []
/// let isNew = seen.insert(pass.identity).inserted
/// ```
public struct PassIdentity: Sendable, Hashable, Codable {
    /// The pass type: reverse DNS, with the prefix `pass.`. In PassKit:
    /// `PKPass.passTypeIdentifier`.
    public let passTypeIdentifier: String
    /// Unique within the pass type. In PassKit: `PKPass.serialNumber`.
    public let serialNumber: String

    /// Creates the identity of a pass.
    ///
    /// For example: `PassIdentity(passTypeIdentifier: "pass.com.example.trip", serialNumber: "E4")`
    public init(passTypeIdentifier: String, serialNumber: String) {
        self.passTypeIdentifier = passTypeIdentifier
        self.serialNumber = serialNumber
    }
}

extension PassIdentity {
    /// Whether pass type and serial number have the same bytes.
    public static func == (left: PassIdentity, right: PassIdentity) -> Bool {
        left.passTypeIdentifier.utf8.elementsEqual(right.passTypeIdentifier.utf8)
            && left.serialNumber.utf8.elementsEqual(right.serialNumber.utf8)
    }

    /// Hashes the bytes of both.
    public func hash(into hasher: inout Hasher) {
        for text in [passTypeIdentifier, serialNumber] {
            hasher.combine(text.utf8.count)
            for byte in text.utf8 { hasher.combine(byte) }
        }
    }
}

extension PassIdentity: CustomStringConvertible {
    /// Type and serial number, with a slash between them.
    public var description: String { "\(passTypeIdentifier)/\(serialNumber)" }
}

extension PassIdentity {
    /// The URL of the pass in the user's library: `passconduit:pass/TYPE/SERIAL`, which the command
    /// `passconduit open` opens. `PKPass.passURL` is PassKit's counterpart.
    ///
    /// Type and serial number are percent-encoded: all bytes of their UTF-8 but the unreserved
    /// characters of RFC 3986, 2.3 (ASCII letters and digits, `-`, `.`, `_`, `~`).
    ///
    /// ```swift
    /// let identity = PassIdentity(passTypeIdentifier: "pass.com.example", serialNumber: "7/8")
    /// print(identity.passURL.absoluteString)  // passconduit:pass/pass.com.example/7%2F8
    /// ```
    public var passURL: URL {
        let text = "\(passURLScheme):pass/\(encoded(passTypeIdentifier))/\(encoded(serialNumber))"
        // Never nil: all of these characters may stand in a URL.
        return URL(string: text) ?? URL(fileURLWithPath: text)
    }

    /// The identity in a URL of the form of ``passURL``; nil for another URL. URLs that RFC 3986,
    /// 6.2.2 calls equivalent have the same identity.
    ///
    /// ```swift
    /// if let identity = PassIdentity(passURL: url) { print(identity.serialNumber) }
    /// ```
    ///
    /// - Parameter passURL: The URL.
    public init?(passURL: URL) {
        let text = passURL.absoluteString.utf8
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")),
            String(text[..<colon])?.lowercased() == passURLScheme
        else { return nil }
        let parts = text[text.index(after: colon)...]
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].elementsEqual("pass".utf8),
            let type = decoded(parts[1]), let serial = decoded(parts[2])
        else { return nil }
        self.init(passTypeIdentifier: type, serialNumber: serial)
    }
}

private let passURLScheme = "passconduit"

private func encoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
        if isUnreserved(byte) {
            bytes.append(byte)
        } else {
            bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
    }
    return String(streamSafe: bytes)
}

/// Nil for what is not a segment of a path (RFC 3986, 3.3), is empty, or may not be in a pass: NUL,
/// invalid UTF-8, long runs of combining marks.
private func decoded(_ text: Substring.UTF8View) -> String? {
    var bytes: [UInt8] = []
    var rest = text[...]
    while let byte = rest.popFirst() {
        guard byte == UInt8(ascii: "%") else {
            guard isUnreserved(byte) || "!$&'()*+,;=:@".utf8.contains(byte) else { return nil }
            bytes.append(byte)
            continue
        }
        guard let high = rest.popFirst()?.hexadecimalValue,
            let low = rest.popFirst()?.hexadecimalValue
        else { return nil }
        bytes.append(high << 4 | low)
    }
    guard !bytes.isEmpty, !bytes.contains(0), !StreamSafeText.hasLongRun(bytes.span) else {
        return nil
    }
    return String(validatingStreamSafe: bytes)
}

/// RFC 3986, 2.3.
private func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
    default: "-._~".utf8.contains(byte)
    }
}
