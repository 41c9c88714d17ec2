internal import Bytes
public import Foundation

/// The identity of a pass, shared by all its versions.
///
/// Compared by bytes, as in the index of a library. Swift strings are equal if canonically
/// equivalent, such as `é` in one scalar or two; to an issuer, these are two serial numbers.
public struct PassIdentity: Sendable, Hashable, Codable {
    /// Reverse DNS, with the prefix `pass.`.
    public let passTypeIdentifier: String
    /// Unique within the pass type.
    public let serialNumber: String

    /// Creates the identity of a pass.
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
        let text =
            passURLStart + [passTypeIdentifier, serialNumber].map(encoded).joined(separator: "/")
        // Never nil: all of these characters may stand in a URL.
        return URL(string: text) ?? URL(fileURLWithPath: text)
    }

    /// The identity in a URL; nil if that is not exactly of the form of ``passURL``.
    ///
    /// ```swift
    /// if let identity = PassIdentity(passURL: url), let pass = try library.pass(identity) {
    ///     print(pass.current.description)
    /// }
    /// ```
    ///
    /// - Parameter passURL: The URL, with both parts encoded as ``passURL`` encodes them.
    public init?(passURL: URL) {
        let text = passURL.absoluteString
        let start = passURLStart.utf8
        guard text.utf8.starts(with: start) else { return nil }
        let parts = text.utf8.dropFirst(start.count)
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 2, let type = decoded(parts[0]), let serial = decoded(parts[1]) else {
            return nil
        }
        self.init(passTypeIdentifier: type, serialNumber: serial)
        guard self.passURL.absoluteString.utf8.elementsEqual(text.utf8) else { return nil }
    }
}

private let passURLStart = "passconduit:pass/"

private func encoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"), UInt8(ascii: "~"):
            bytes.append(byte)
        default:
            bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
    }
    return String(streamSafe: bytes)
}

/// Nil for an empty part, or for one that no pass may contain: NUL, invalid UTF-8, long runs of
/// combining marks.
private func decoded(_ text: Substring.UTF8View) -> String? {
    var bytes: [UInt8] = []
    var rest = text[...]
    while let byte = rest.popFirst() {
        guard byte == UInt8(ascii: "%") else {
            bytes.append(byte)
            continue
        }
        guard let high = rest.popFirst().flatMap(hexadecimal),
            let low = rest.popFirst().flatMap(hexadecimal)
        else { return nil }
        bytes.append(high << 4 | low)
    }
    guard !bytes.isEmpty, !bytes.contains(0), !StreamSafeText.hasLongRun(bytes.span) else {
        return nil
    }
    return String(validatingStreamSafe: bytes)
}

private func hexadecimal(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
}
