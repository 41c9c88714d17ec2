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
        left.passTypeIdentifier.isExactly(right.passTypeIdentifier)
            && left.serialNumber.isExactly(right.serialNumber)
    }

    /// Hashes the bytes of both.
    public func hash(into hasher: inout Hasher) {
        passTypeIdentifier.hashBytes(into: &hasher)
        serialNumber.hashBytes(into: &hasher)
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
        let type = PathSegment.encoded(passTypeIdentifier)
        let serial = PathSegment.encoded(serialNumber)
        let text = "\(passURLScheme):pass/\(type)/\(serial)"
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
            text[..<colon].map(\.asciiLowercased).elementsEqual(passURLScheme.utf8)
        else { return nil }
        let parts = text[text.index(after: colon)...]
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].elementsEqual("pass".utf8),
            let type = PathSegment.decoded(parts[1]),
            let serial = PathSegment.decoded(parts[2])
        else { return nil }
        self.init(passTypeIdentifier: type, serialNumber: serial)
    }
}

private let passURLScheme = "passconduit"
