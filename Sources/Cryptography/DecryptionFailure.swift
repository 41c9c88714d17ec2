import CCrypto

/// Why a key or a list of certificates could not be decrypted.
enum DecryptionFailure: Error {
    case wrongPassword
    /// OpenSSL does not know the algorithm, or it costs too much.
    case unsupported
}

/// The PrivateKeyInfo in an EncryptedPrivateKeyInfo (RFC 5958, 3); the caller frees it.
func decrypted(
    _ sealed: OpaquePointer, password: UnsafeRawBufferPointer?, cost: inout PasswordCost,
    in library: OpaquePointer? = nil
) throws(DecryptionFailure) -> OpaquePointer {
    var algorithm: UnsafePointer<X509_ALGOR>?
    unsafe X509_SIG_get0(sealed, &algorithm, nil)
    guard unsafe cost.takes(algorithm) else { throw .unsupported }
    ERR_clear_error()
    let count = unsafe CInt(clamping: password?.count ?? 0)
    let plain = unsafe PKCS8_decrypt_ex(sealed, password?.text, count, library, nil)
    guard let plain = unsafe plain else { throw DecryptionFailure.ofOpenSSL }
    return unsafe plain
}

extension DecryptionFailure {
    /// Takes the reason from OpenSSL's queue of errors. A wrong password is one that leads to an
    /// invalid padding, or to contents that are not DER.
    static var ofOpenSSL: DecryptionFailure {
        var failure = DecryptionFailure.unsupported
        while case let code = ERR_get_error(), code != 0 {
            let isWrong = [PKCS12_R_PKCS12_CIPHERFINAL_ERROR, PKCS12_R_DECODE_ERROR]
                .contains(ERR_GET_REASON(code))
            if ERR_GET_LIB(code) == ERR_LIB_PKCS12, isWrong { failure = .wrongPassword }
        }
        return failure
    }
}

extension UnsafeRawBufferPointer {
    /// As OpenSSL's functions take a password.
    var text: UnsafePointer<CChar>? { unsafe bindMemory(to: CChar.self).baseAddress }
}
