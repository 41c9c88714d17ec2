import CCrypto

extension Certificate {
    /// The first 16 digits of the SHA-256 of the public key (SubjectPublicKeyInfo); empty if it
    /// cannot be encoded.
    package var keyIdentifier: String { unsafe identifier(of: X509_get0_pubkey(handle)) }
}

extension PrivateKey {
    /// The same as of its certificates.
    package var keyIdentifier: String { unsafe identifier(of: handle) }
}

private func identifier(of key: OpaquePointer?) -> String {
    defer { ERR_clear_error() }
    var start: UnsafeMutablePointer<UInt8>?
    let count = unsafe i2d_PUBKEY(key, &start)
    guard count > 0, let start = unsafe start else { return "" }
    defer { unsafe CRYPTO_free(start, #file, #line) }
    let encoded = unsafe Array(UnsafeBufferPointer(start: start, count: Int(count)))
    return String(Digest.sha256(encoded).prefix(16))
}
