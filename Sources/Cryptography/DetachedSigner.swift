import CCrypto
package import Foundation

/// Makes detached signatures (CMS SignedData, RFC 5652) with one certificate: with signing time,
/// with SHA-256, and with the certificate and its issuers embedded.
///
/// The key may be anywhere: in memory, in an agent or in a token. It signs the DER of the signed
/// attributes (RFC 5652, 5.4), so one path serves them all.
///
/// `@unchecked Sendable`: the certificates are immutable, and OpenSSL counts references atomically.
@safe package final class DetachedSigner: @unchecked Sendable {
    private let certificate: Certificate
    private let others: EmbeddedCertificates

    /// Nil unless the bytes are certificates in DER.
    package init?(certificate: [UInt8], others: [[UInt8]]) {
        // OpenSSL refuses to embed a certificate twice.
        var unique: [[UInt8]] = []
        for other in others where other != certificate && !unique.contains(other) {
            unique.append(other)
        }
        guard let signer = Certificate(der: certificate),
            let others = EmbeddedCertificates(unique.map { $0[...] })
        else { return nil }
        self.certificate = signer
        self.others = others
    }

    /// The signature in DER.
    ///
    /// - Parameters:
    ///   - content: The signed bytes, which are not embedded.
    ///   - time: The signing time, in whole seconds.
    ///   - sign: Signs the bytes with SHA-256: RSA with PKCS #1 v1.5, or ECDSA in DER.
    /// - Throws: What `sign` throws.
    /// - Returns: Nil if OpenSSL fails, for example without memory.
    package func signature<Failure>(
        over content: [UInt8], at time: Date, sign: ([UInt8]) throws(Failure) -> [UInt8]
    ) throws(Failure) -> [UInt8]? {
        defer { ERR_clear_error() }
        let flags = UInt32(CMS_DETACHED | CMS_BINARY | CMS_PARTIAL | CMS_NOSMIMECAP)
        guard let message = unsafe CMS_sign(nil, nil, nil, nil, flags) else { return nil }
        defer { unsafe CMS_ContentInfo_free(message) }
        // The public key decides on the signature algorithm.
        guard
            let signer = unsafe CMS_add1_signer(
                message, certificate.handle, X509_get0_pubkey(certificate.handle), EVP_sha256(),
                flags),
            unsafe addOthers(to: message),
            unsafe addAttributes(to: signer, over: content, at: time),
            let attributes = unsafe signedAttributes(of: signer)
        else { return nil }
        let signature = try sign(attributes)
        guard let place = unsafe CMS_SignerInfo_get0_signature(signer),
            unsafe ASN1_STRING_set(place, signature, CInt(signature.count)) == 1
        else { return nil }
        var encoded: UnsafeMutablePointer<UInt8>?
        let count = unsafe i2d_CMS_ContentInfo(message, &encoded)
        guard count > 0, let encoded = unsafe encoded else { return nil }
        defer { unsafe CRYPTO_free(encoded, #file, #line) }
        return unsafe Array(UnsafeBufferPointer(start: encoded, count: Int(count)))
    }

    private func addOthers(to message: OpaquePointer) -> Bool {
        (0..<max(0, unsafe OPENSSL_sk_num(others.stack))).allSatisfy { index in
            let other = unsafe OPENSSL_sk_value(others.stack, index)
            return unsafe CMS_add1_cert(message, other.map { OpaquePointer($0) }) == 1
        }
    }
}

/// Adds content type, signing time and message digest.
private func addAttributes(
    to signer: OpaquePointer, over content: [UInt8], at time: Date
) -> Bool {
    let digest = Digest.sha256Bytes(content)
    guard !digest.isEmpty, let time = UTCTime(time) else { return false }
    return unsafe CMS_signed_add1_attr_by_NID(
        signer, NID_pkcs9_contentType, V_ASN1_OBJECT,
        UnsafeRawPointer(OBJ_nid2obj(NID_pkcs7_data)), -1) == 1
        && CMS_signed_add1_attr_by_NID(
            signer, NID_pkcs9_signingTime, time.type, time.text, CInt(time.text.count)) == 1
        && CMS_signed_add1_attr_by_NID(
            signer, NID_pkcs9_messageDigest, V_ASN1_OCTET_STRING, digest, CInt(digest.count)) == 1
}

/// The signed attributes as the DER of a SET OF (X.690, 11.6: in the order of their encodings),
/// which is what the signature covers.
private func signedAttributes(of signer: OpaquePointer) -> [UInt8]? {
    var encodings: [[UInt8]] = []
    for index in 0..<max(0, unsafe CMS_signed_get_attr_count(signer)) {
        var encoded: UnsafeMutablePointer<UInt8>?
        let count = unsafe i2d_X509_ATTRIBUTE(CMS_signed_get_attr(signer, index), &encoded)
        guard count > 0, let start = unsafe encoded else { return nil }
        defer { unsafe CRYPTO_free(start, #file, #line) }
        unsafe encodings.append(Array(UnsafeBufferPointer(start: start, count: Int(count))))
    }
    encodings.sort { $0.lexicographicallyPrecedes($1) }
    return derSet(encodings.flatMap(\.self))
}

private func derSet(_ contents: [UInt8]) -> [UInt8] {
    let count = contents.count
    let length: [UInt8] =
        count < 0x80
        ? [UInt8(count)]
        : count < 0x100
            ? [0x81, UInt8(count)] : [0x82, UInt8(count >> 8 & 0xff), UInt8(count & 0xff)]
    return [0x31] + length + contents
}

/// A time as ASN.1 text: UTCTime from 1950 to 2049, otherwise GeneralizedTime (RFC 5652, 11.3).
private struct UTCTime {
    let type: CInt
    let text: [UInt8]

    init?(_ date: Date) {
        var seconds = time_t(wholeSeconds(date))
        var parts = unsafe tm()
        guard unsafe gmtime_r(&seconds, &parts) != nil else { return nil }
        let year = unsafe Int(parts.tm_year) + 1900
        let isShort = (1950..<2050).contains(year)
        type = isShort ? V_ASN1_UTCTIME : V_ASN1_GENERALIZEDTIME
        let numbers = unsafe [
            parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
        ]
        text =
            digits(isShort ? year % 100 : year, count: isShort ? 2 : 4)
            + numbers.flatMap { digits(Int($0), count: 2) } + [UInt8(ascii: "Z")]
    }
}

private func digits(_ value: Int, count: Int) -> [UInt8] {
    var value = value
    var digits: [UInt8] = []
    for _ in 0..<count {
        digits.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value % 10))
        value /= 10
    }
    return digits.reversed()
}
