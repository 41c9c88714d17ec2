import CCrypto
package import Foundation

/// What a chain may end at: a certificate, or a name and a key (RFC 5914).
package enum AnchorMaterial: Hashable, Sendable {
    case certificate(der: [UInt8])
    case key(subject: [UInt8], key: [UInt8], notBefore: Date, notAfter: Date)

    /// The anchor as a certificate for OpenSSL.
    package var certificate: Certificate? {
        switch self {
        case .certificate(let der): Certificate(der: der)
        case .key(let subject, let key, let notBefore, let notAfter):
            Certificate.authority(
                subject: subject, key: key, notBefore: notBefore, notAfter: notAfter)
        }
    }

    /// The public key (RFC 5280, 4.1: SubjectPublicKeyInfo) in DER; nil if the certificate cannot
    /// be parsed.
    package var key: [UInt8]? {
        if case .key(_, let key, _, _) = self { return key }
        return certificate?.publicKey
    }

    /// The hash of the subject.
    package var subjectHash: UInt {
        guard case .key(let subject, _, _, _) = self else { return certificate?.subjectHash ?? 0 }
        let name = unsafe subject.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            return unsafe d2i_X509_NAME(nil, &next, bytes.count)
        }
        defer { unsafe X509_NAME_free(name) }
        return unsafe UInt(X509_NAME_hash_ex(name, nil, nil, nil))
    }
}
