import Bytes
import CCrypto
public import Foundation

/// Whom the verifier believes: the names and keys that a signer's certificate has to lead to.
///
/// Whatever the anchors, a certificate must also be one for passes, and for this pass.
public struct TrustAnchors: Sendable, Hashable {
    /// In the order in which they were added, each once.
    public private(set) var all: [TrustAnchor]

    /// Apple's roots and the intermediates of its developer relations.
    public static let apple = TrustAnchors(all: AppleTrustAnchors.rows.compactMap(TrustAnchor.init))

    /// Nobody.
    package static let none = TrustAnchors(all: [])

    /// Anchors that are all somebody's own: each file is PEM (one certificate or more) or DER (one).
    ///
    /// - Throws: ``TrustAnchorError`` for the first file that adds none.
    public init(certificates: [[UInt8]]) throws(TrustAnchorError) {
        all = []
        for file in certificates { try add(file) }
    }

    /// These anchors and those of a PEM or DER file.
    ///
    /// - Throws: ``TrustAnchorError`` when the file adds none.
    public func adding(_ certificates: [UInt8]) throws(TrustAnchorError) -> TrustAnchors {
        var anchors = self
        try anchors.add(certificates)
        return anchors
    }

    /// These anchors and others.
    public func adding(_ others: TrustAnchors) -> TrustAnchors {
        var anchors = self
        for anchor in others.all { anchors.add(anchor) }
        return anchors
    }

    /// These anchors and another.
    public func adding(_ anchor: TrustAnchor) -> TrustAnchors {
        var anchors = self
        anchors.add(anchor)
        return anchors
    }

    private init(all: [TrustAnchor]) {
        self.all = all
    }

    private mutating func add(_ file: [UInt8]) throws(TrustAnchorError) {
        for der in try certificateBytes(file) {
            guard let certificate = Certificate(der: der) else { throw .notACertificate }
            add(TrustAnchor(certificate, der: der))
        }
    }

    private mutating func add(_ anchor: TrustAnchor) {
        if !all.contains(anchor) { all.append(anchor) }
    }
}

/// A name and a key that are believed (RFC 5914), or a certificate that somebody chose to believe.
public struct TrustAnchor: Sendable, Hashable {
    /// The common name, for people.
    public let name: String
    /// The first moment at which it may vouch for anybody.
    public let notBefore: Date
    /// The last moment at which it may vouch for anybody.
    public let notAfter: Date
    /// SHA-256 of the certificate, in lower-case hexadecimal digits.
    public let fingerprint: String
    private let material: Material

    private enum Material: Hashable {
        case certificate(der: [UInt8])
        case key(subject: [UInt8], key: [UInt8])
    }
}

/// Why a file adds no anchor.
public enum TrustAnchorError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Neither DER nor PEM, or a PEM block that holds something else.
    case notACertificate
    /// PEM, and no block in it is a certificate.
    case noCertificate

    /// A lower-case clause without a full stop.
    public var description: String {
        switch self {
        case .notACertificate: "not a certificate in PEM or DER"
        case .noCertificate: "there is no certificate in it"
        }
    }
}

extension TrustAnchor {
    fileprivate init(_ certificate: borrowing Certificate, der: [UInt8]) {
        self.init(
            name: certificate.name, notBefore: certificate.notBefore,
            notAfter: certificate.notAfter, fingerprint: certificate.fingerprint,
            material: .certificate(der: der))
    }

    fileprivate init?(_ row: AppleTrustAnchors.Row) {
        guard let subject = Data(base64Encoded: row.subject), let key = Data(base64Encoded: row.key)
        else { return nil }
        self.init(
            name: row.name, notBefore: Date(timeIntervalSince1970: TimeInterval(row.notBefore)),
            notAfter: Date(timeIntervalSince1970: TimeInterval(row.notAfter)),
            fingerprint: row.fingerprint,
            material: .key(subject: Array(subject), key: Array(key)))
    }

    /// The certificate as PEM; nil for an anchor that is a name and a key.
    package var pem: String? {
        guard case .certificate(let der) = material else { return nil }
        let text = Data(der).base64EncodedString(options: [
            .lineLength64Characters, .endLineWithLineFeed,
        ])
        return "-----BEGIN CERTIFICATE-----\n\(text)\n-----END CERTIFICATE-----\n"
    }

    /// The anchor as OpenSSL wants it: as a certificate.
    var certificate: Certificate? {
        switch material {
        case .certificate(let der): Certificate(der: der)
        case .key(let subject, let key):
            Certificate.authority(
                subject: subject, key: key, notBefore: notBefore, notAfter: notAfter)
        }
    }
}

extension TrustAnchor {
    /// That of the certificate's subject.
    var subjectHash: UInt {
        guard case .key(let subject, _) = material else { return certificate?.subjectHash ?? 0 }
        let name = unsafe subject.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            return unsafe d2i_X509_NAME(nil, &next, bytes.count)
        }
        defer { unsafe X509_NAME_free(name) }
        return unsafe UInt(X509_NAME_hash_ex(name, nil, nil, nil))
    }
}

/// The certificates in a file, as DER.
private func certificateBytes(_ file: [UInt8]) throws(TrustAnchorError) -> [[UInt8]] {
    guard file.first != 0x30 else { return [file] }
    let text = String(streamSafe: file)
    var found: [[UInt8]] = []
    var rest = text[...]
    while let begin = rest.firstRange(of: "-----BEGIN CERTIFICATE-----") {
        rest = rest[begin.upperBound...]
        guard let end = rest.firstRange(of: "-----END CERTIFICATE-----"),
            let der = Data(
                base64Encoded: String(rest[..<end.lowerBound]), options: .ignoreUnknownCharacters)
        else { throw .notACertificate }
        found.append(Array(der))
        rest = rest[end.upperBound...]
    }
    guard !found.isEmpty else {
        throw text.contains("-----BEGIN ") ? .noCertificate : .notACertificate
    }
    return found
}
