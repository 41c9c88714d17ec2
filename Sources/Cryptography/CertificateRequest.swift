import CCrypto

/// A request for a certificate (PKCS #10, RFC 2986) in the form of Keychain's Certificate
/// Assistant, which Apple's developer portal takes: the subject has an e-mail address, a common name
/// and a country; the signature is with SHA-256.
package struct CertificateRequest: Sendable {
    package let der: [UInt8]

    /// - Parameters:
    ///   - key: The key that the certificate is for. The portal takes RSA with 2,048 bits.
    ///   - country: Two letters, such as `DE`; nil leaves it out.
    package init(
        key: PrivateKey, commonName: String, emailAddress: String, country: String?
    ) throws(CertificateRequestError) {
        defer { ERR_clear_error() }
        guard let request = unsafe X509_REQ_new() else { throw .failed }
        defer { unsafe X509_REQ_free(request) }
        guard let subject = unsafe X509_REQ_get_subject_name(request) else { throw .failed }
        guard unsafe add(emailAddress, NID_pkcs9_emailAddress, to: subject) else {
            throw .emailAddress
        }
        guard unsafe add(commonName, NID_commonName, to: subject) else { throw .commonName }
        if let country {
            let isCode = country.utf8.allSatisfy {
                (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
            }
            guard isCode, unsafe add(country, NID_countryName, to: subject) else { throw .country }
        }
        var encoded: UnsafeMutablePointer<UInt8>?
        guard unsafe X509_REQ_set_version(request, 0) == 1,
            unsafe X509_REQ_set_pubkey(request, key.handle) == 1,
            unsafe X509_REQ_sign(request, key.handle, EVP_sha256()) > 0,
            case let count = unsafe i2d_X509_REQ(request, &encoded), count > 0,
            let encoded = unsafe encoded
        else { throw .failed }
        defer { unsafe CRYPTO_free(encoded, #file, #line) }
        der = unsafe Array(UnsafeBufferPointer(start: encoded, count: Int(count)))
    }

    package var pem: String { pemText(PEM_STRING_X509_REQ, der) }
}

/// Adds an attribute; false if its standard does not allow the value.
private func add(_ value: String, _ attribute: CInt, to name: OpaquePointer) -> Bool {
    let bytes = Array(value.utf8)
    guard let count = CInt(exactly: bytes.count), !bytes.contains(0) else { return false }
    return unsafe X509_NAME_add_entry_by_NID(
        name, attribute, MBSTRING_UTF8, bytes, count, -1, 0) == 1
}
