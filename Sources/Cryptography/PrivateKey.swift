import CCrypto

/// A private key in memory that signs with SHA-256: RSA with PKCS #1 v1.5, or ECDSA.
///
/// OpenSSL zeroes the numbers of a key when it frees them: RSA_free(3) says so, and EC_KEY_free in
/// crypto/ec/ec_key.c clears the private number.
///
/// `@unchecked Sendable`: nothing changes after initialisation but what OpenSSL locks itself, the
/// count of references and the blinding of RSA.
@safe package final class PrivateKey: @unchecked Sendable {
    package let kind: Kind
    let handle: OpaquePointer
    /// A signature that has begun, which each signature starts as a copy of: beginning one fetches
    /// algorithms by name.
    private let begun: OpaquePointer

    package enum Kind: Sendable, Hashable {
        case rsa(bits: Int)
        case ec(EllipticCurve)
    }

    /// Takes ownership of the caller's reference.
    init(_ handle: OpaquePointer) throws(PrivateKeyError) {
        defer { ERR_clear_error() }
        guard let kind = unsafe Kind(of: handle), let begun = unsafe EVP_MD_CTX_new() else {
            unsafe EVP_PKEY_free(handle)
            throw .unsupported
        }
        guard unsafe EVP_DigestSignInit(begun, nil, EVP_sha256(), nil, handle) == 1 else {
            unsafe EVP_MD_CTX_free(begun)
            unsafe EVP_PKEY_free(handle)
            throw .unsupported
        }
        self.kind = kind
        unsafe self.handle = unsafe handle
        unsafe self.begun = unsafe begun
    }

    /// Reads the first private key of a file: in PEM, among certificates as well, or in DER; in
    /// PKCS #8, PKCS #1 or SEC 1, encrypted or not. Never asks for a password on the terminal.
    ///
    /// - Parameter password: Ignored if the key is not encrypted.
    package convenience init(
        pem file: borrowing Secret, password: borrowing Secret?
    ) throws(PrivateKeyError) {
        defer { ERR_clear_error() }
        let password = unsafe Secret.bytes(of: password)
        let handle =
            unsafe file.bytes.first == BERReader.Tag.sequence
            ? try unsafe key(der: file.bytes, password: password)
            : try unsafe key(pem: file.bytes, password: password)
        try unsafe self.init(handle)
    }

    /// Makes a key; nil for a size that this program does not sign with, and without memory.
    package convenience init?(generatingRSA bits: Int) {
        defer { ERR_clear_error() }
        guard Kind.rsaSizes.contains(bits),
            let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "RSA", nil)
        else { return nil }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var handle: OpaquePointer?
        guard unsafe EVP_PKEY_keygen_init(context) == 1,
            unsafe EVP_PKEY_CTX_set_rsa_keygen_bits(context, CInt(bits)) == 1,
            unsafe EVP_PKEY_generate(context, &handle) == 1, let handle = unsafe handle
        else { return nil }
        try? unsafe self.init(handle)
    }

    deinit {
        unsafe EVP_MD_CTX_free(begun)
        unsafe EVP_PKEY_free(handle)
    }

    /// A signature with SHA-256: RSA with PKCS #1 v1.5, or ECDSA in DER. Threads may sign at the same
    /// time.
    ///
    /// - Returns: Nil if OpenSSL fails, for example without memory.
    package func sign(_ message: [UInt8]) -> [UInt8]? {
        guard let state = unsafe EVP_MD_CTX_new() else { return nil }
        defer { unsafe EVP_MD_CTX_free(state) }
        var signature = [UInt8](repeating: 0, count: Int(unsafe EVP_PKEY_get_size(handle)))
        var count = signature.count
        guard unsafe EVP_MD_CTX_copy_ex(state, begun) == 1,
            unsafe EVP_DigestSign(state, &signature, &count, message, message.count) == 1
        else {
            ERR_clear_error()
            return nil
        }
        return Array(signature.prefix(count))
    }

    /// A signature for JSON Web Signatures with ES256 (RFC 7518, 3.4): the two numbers of an ECDSA
    /// signature, in 32 bytes each.
    ///
    /// - Returns: Nil if the key is not on P-256, or OpenSSL fails.
    package func signES256(_ message: [UInt8]) -> [UInt8]? {
        guard kind == .ec(.p256), let der = sign(message) else { return nil }
        defer { ERR_clear_error() }
        let signature = unsafe der.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            return unsafe d2i_ECDSA_SIG(nil, &next, bytes.count)
        }
        guard let signature = unsafe signature else { return nil }
        defer { unsafe ECDSA_SIG_free(signature) }
        var halves = ([UInt8](repeating: 0, count: 32), [UInt8](repeating: 0, count: 32))
        guard unsafe BN_bn2binpad(ECDSA_SIG_get0_r(signature), &halves.0, 32) == 32,
            unsafe BN_bn2binpad(ECDSA_SIG_get0_s(signature), &halves.1, 32) == 32
        else { return nil }
        return halves.0 + halves.1
    }

    /// Whether a certificate in DER has the public key of this key.
    package func isKey(ofCertificate der: [UInt8]) -> Bool {
        guard let certificate = Certificate(der: der) else { return false }
        return isKey(of: certificate)
    }

    func isKey(of certificate: borrowing Certificate) -> Bool {
        defer { ERR_clear_error() }
        return unsafe X509_check_private_key(certificate.handle, handle) == 1
    }

    /// The key in PKCS #8 as PEM.
    ///
    /// - Parameter password: Encrypts the key with AES-256-CBC and PBKDF2; nil for no encryption.
    /// - Returns: Nil if OpenSSL fails, for example without memory.
    package func pem(password: borrowing Secret?) -> Secret? {
        defer { ERR_clear_error() }
        // Zeroed when it grows and when it is freed.
        guard let memory = unsafe BIO_new(BIO_s_secmem()) else { return nil }
        defer { unsafe BIO_free(memory) }
        if let password = unsafe Secret.bytes(of: password) {
            guard let plain = unsafe EVP_PKEY2PKCS8(handle) else { return nil }
            defer { unsafe PKCS8_PRIV_KEY_INFO_free(plain) }
            guard
                let sealed = unsafe PKCS8_encrypt(
                    -1, EVP_aes_256_cbc(), password.text, CInt(clamping: password.count), nil, 0,
                    Self.iterations, plain)
            else { return nil }
            defer { unsafe X509_SIG_free(sealed) }
            guard unsafe PEM_write_bio_PKCS8(memory, sealed) == 1 else { return nil }
        } else {
            guard unsafe PEM_write_bio_PKCS8PrivateKey(memory, handle, nil, nil, 0, nil, nil) == 1
            else { return nil }
        }
        let count = unsafe BIO_ctrl_pending(memory)
        return unsafe Secret(capacity: count) { space in
            Int(unsafe BIO_read(memory, space.baseAddress, CInt(clamping: space.count)))
        }
    }

    /// OWASP's recommendation for PBKDF2 with SHA-256, which takes a fifth of a second.
    private static let iterations: CInt = 600_000
}

extension PrivateKey.Kind {
    /// Of a modulus, in bits. OpenSSL does not use larger ones.
    fileprivate static let rsaSizes = 2048...Int(OPENSSL_RSA_MAX_MODULUS_BITS)

    fileprivate init?(of key: OpaquePointer) {
        if unsafe EVP_PKEY_is_a(key, "RSA") == 1 {
            let bits = unsafe Int(EVP_PKEY_get_bits(key))
            guard Self.rsaSizes.contains(bits) else { return nil }
            self = .rsa(bits: bits)
        } else {
            guard unsafe EVP_PKEY_is_a(key, "EC") == 1, let curve = unsafe EllipticCurve(of: key)
            else { return nil }
            self = .ec(curve)
        }
    }
}

private func key(
    pem bytes: UnsafeRawBufferPointer, password: UnsafeRawBufferPointer?
) throws(PrivateKeyError) -> OpaquePointer {
    guard let count = CInt(exactly: bytes.count),
        let file = unsafe BIO_new_mem_buf(bytes.baseAddress, count)
    else { throw .notAKey }
    defer { unsafe BIO_free(file) }
    while var block = unsafe PEMBlock(next: file) {
        guard block.isNamed(PEM_STRING_PKCS8INF, orEndsSo: true) else { continue }
        let names = [
            PEM_STRING_PKCS8INF, PEM_STRING_PKCS8, PEM_STRING_RSA, PEM_STRING_ECPRIVATEKEY,
        ]
        // For example a key in the format of OpenSSH.
        guard names.contains(where: { block.isNamed($0, orEndsSo: false) }) else {
            throw .unsupported
        }
        let wasEncrypted = try unsafe block.decrypt(password: password)
        do throws(PrivateKeyError) {
            return try unsafe key(der: block.contents, password: password)
        } catch {
            // One wrong password in 256 leads to a valid padding.
            throw wasEncrypted ? .wrongPassword : error
        }
    }
    throw .notAKey
}

private func key(
    der bytes: UnsafeRawBufferPointer, password: UnsafeRawBufferPointer?
) throws(PrivateKeyError) -> OpaquePointer {
    let start = unsafe bytes.bindMemory(to: UInt8.self).baseAddress
    var next = unsafe start
    if let sealed = unsafe d2i_X509_SIG(nil, &next, bytes.count) {
        defer { unsafe X509_SIG_free(sealed) }
        guard let password = unsafe password else { throw .passwordNeeded }
        return try unsafe key(in: sealed, password: password)
    }
    ERR_clear_error()
    unsafe next = unsafe start
    guard let key = unsafe d2i_AutoPrivateKey(nil, &next, bytes.count) else {
        // Also for an algorithm that OpenSSL does not know.
        unsafe next = unsafe start
        guard let plain = unsafe d2i_PKCS8_PRIV_KEY_INFO(nil, &next, bytes.count) else {
            throw .notAKey
        }
        unsafe PKCS8_PRIV_KEY_INFO_free(plain)
        throw .unsupported
    }
    return unsafe key
}

/// The key in an EncryptedPrivateKeyInfo (RFC 5958, 3).
private func key(
    in sealed: OpaquePointer, password: UnsafeRawBufferPointer
) throws(PrivateKeyError) -> OpaquePointer {
    var cost = PasswordCost()
    let plain: OpaquePointer
    do throws(DecryptionFailure) {
        unsafe plain = try unsafe decrypted(sealed, password: password, cost: &cost)
    } catch {
        switch error {
        case .wrongPassword: throw .wrongPassword
        case .unsupported: throw .unsupported
        }
    }
    defer { unsafe PKCS8_PRIV_KEY_INFO_free(plain) }
    guard let key = unsafe EVP_PKCS82PKEY(plain) else { throw .unsupported }
    return unsafe key
}

/// A block of a PEM file (RFC 7468), zeroed when it is freed.
@safe private struct PEMBlock: ~Copyable {
    private let name: UnsafeMutablePointer<CChar>
    private let header: UnsafeMutablePointer<CChar>
    private let data: UnsafeMutablePointer<UInt8>
    private let space: Int
    private var count: Int

    /// Nil at the end of the file, and where it is damaged.
    init?(next file: OpaquePointer) {
        var name: UnsafeMutablePointer<CChar>?
        var header: UnsafeMutablePointer<CChar>?
        var data: UnsafeMutablePointer<UInt8>?
        var count = 0
        let flags = UInt32(PEM_FLAG_SECURE | PEM_FLAG_EAY_COMPATIBLE)
        guard unsafe PEM_read_bio_ex(file, &name, &header, &data, &count, flags) == 1,
            let name = unsafe name, let header = unsafe header, let data = unsafe data
        else { return nil }
        unsafe self.name = unsafe name
        unsafe self.header = unsafe header
        unsafe self.data = unsafe data
        space = count
        self.count = count
    }

    deinit {
        unsafe CRYPTO_secure_free(name, #file, #line)
        unsafe CRYPTO_secure_free(header, #file, #line)
        unsafe CRYPTO_secure_clear_free(data, space, #file, #line)
    }

    /// Valid as long as the block.
    var contents: UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(start: data, count: count)
    }

    func isNamed(_ label: String, orEndsSo: Bool) -> Bool {
        let rest = unsafe strlen(name) - label.utf8.count
        guard rest == 0 || orEndsSo && rest > 0 else { return false }
        return unsafe strcmp(name + rest, label) == 0
    }

    /// Decrypts the contents if the header says how (RFC 1421, 4.6.1); returns whether it does.
    mutating func decrypt(password: UnsafeRawBufferPointer?) throws(PrivateKeyError) -> Bool {
        var cipher = unsafe EVP_CIPHER_INFO()
        guard unsafe PEM_get_EVP_CIPHER_INFO(header, &cipher) == 1 else { throw .unsupported }
        guard unsafe cipher.cipher != nil else { return false }
        guard var password = unsafe password else { throw .passwordNeeded }
        let isDecrypted = unsafe PEM_do_header(
            &cipher, data, &count,
            { space, size, _, password in
                let password = unsafe password?.load(as: UnsafeRawBufferPointer.self)
                guard let space = unsafe space, let password = unsafe password,
                    password.count <= size
                else { return -1 }
                unsafe UnsafeMutableRawBufferPointer(start: space, count: Int(size))
                    .copyMemory(from: password)
                return CInt(password.count)
            }, &password)
        guard isDecrypted == 1 else { throw .wrongPassword }
        return true
    }
}
