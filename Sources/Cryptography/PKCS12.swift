import CCrypto

/// A file in PKCS #12 (RFC 7292): a private key, its certificate, and other certificates.
package struct PKCS12: Sendable {
    package let key: PrivateKey
    /// The certificate that the key belongs to, in DER.
    package let certificate: [UInt8]
    /// All other certificates, in DER.
    package let others: [[UInt8]]

    /// The largest file that is read, in bytes. One with a chain has about 6,000.
    package static let sizeLimit = 1 << 20

    /// Reads a file, also one that an old Keychain or OpenSSL before 3.0 encrypted with RC2.
    ///
    /// If there are several keys, the first certificate that belongs to one is read.
    ///
    /// - Parameter password: Nil and an empty password open the same files: some programs derive
    ///   keys from no bytes for an empty password, others from an empty string.
    package init(_ file: [UInt8], password: borrowing Secret?) throws(PKCS12Error) {
        guard file.count <= Self.sizeLimit else { throw .tooLarge(limit: Self.sizeLimit) }
        defer { ERR_clear_error() }
        // The global context must not get weak algorithms.
        let library = unsafe OSSL_LIB_CTX_new()
        defer { unsafe OSSL_LIB_CTX_free(library) }
        let standard = unsafe OSSL_PROVIDER_load(library, "default")
        defer { unsafe OSSL_PROVIDER_unload(standard) }
        // Nil if the module is not installed.
        let legacy = unsafe OSSL_PROVIDER_load(library, "legacy")
        defer { unsafe OSSL_PROVIDER_unload(legacy) }
        guard unsafe library != nil, unsafe standard != nil else { throw .unsupportedEncryption }
        let sealed = try unsafe SealedFile(file, library)
        let contents = try unsafe sealed.contents(password: Secret.bytes(of: password))
        try self.init(contents)
    }

    private init(_ contents: SafeContents) throws(PKCS12Error) {
        guard !contents.keys.isEmpty else {
            throw contents.hasUnsupportedKey ? .unsupportedKey : .noKey
        }
        guard !contents.certificates.isEmpty else { throw .noCertificate }
        for (index, certificate) in contents.certificates.enumerated() {
            guard let parsed = Certificate(der: certificate),
                let key = contents.keys.first(where: { $0.isKey(of: parsed) })
            else { continue }
            self.key = key
            self.certificate = certificate
            others = Array(contents.certificates[..<index] + contents.certificates[(index + 1)...])
            return
        }
        throw .keyOfOtherCertificate
    }

    /// A file with a key, its certificate and the certificates of issuers, in DER: encrypted with
    /// AES-256-CBC, and with a MAC with SHA-256, as OpenSSL 3 writes them but with more iterations.
    ///
    /// - Parameters:
    ///   - name: The `friendlyName`, which keychains show.
    ///   - password: Without a zero byte.
    /// - Returns: Nil if the key is not that of the certificate, a certificate is damaged, the
    ///   password contains a zero byte, or OpenSSL fails.
    package static func encode(
        certificate: [UInt8], key: PrivateKey, others: [[UInt8]], name: String,
        password: borrowing Secret
    ) -> [UInt8]? {
        defer { ERR_clear_error() }
        guard let certificate = Certificate(der: certificate),
            let others = EmbeddedCertificates(others.map { $0[...] }),
            unsafe !password.bytes.contains(0)
        else { return nil }
        guard
            let file = unsafe PKCS12_create(
                password.bytes.text, name, key.handle, certificate.handle, others.stack,
                NID_aes_256_cbc, NID_aes_256_cbc, iterations, withoutMAC, 0)
        else { return nil }
        defer { unsafe PKCS12_free(file) }
        guard
            unsafe PKCS12_set_mac(
                file, password.bytes.text, CInt(clamping: password.count), nil, 0, iterations,
                EVP_sha256()) == 1
        else { return nil }
        var encoded: UnsafeMutablePointer<UInt8>?
        let count = unsafe i2d_PKCS12(file, &encoded)
        guard count > 0, let encoded = unsafe encoded else { return nil }
        defer { unsafe CRYPTO_free(encoded, #file, #line) }
        return unsafe Array(UnsafeBufferPointer(start: encoded, count: Int(count)))
    }

    /// The largest number that .NET reads by default for each key (`Pkcs12LoaderLimits`: 300,000,
    /// and 1,000,000 for all of them). OpenSSL's default, 2,048, makes guessing passwords cheap;
    /// OWASP's recommendation for PBKDF2 with SHA-256, 600,000, would lock .NET out. Keys are
    /// derived three times, which takes about 0.2 s.
    private static let iterations: CInt = 300_000
    private static let withoutMAC: CInt = -1
}

/// A parsed file that is not decrypted yet.
@safe private struct SealedFile: ~Copyable {
    private let handle: OpaquePointer
    private let library: OpaquePointer?

    init(_ file: [UInt8], _ library: OpaquePointer?) throws(PKCS12Error) {
        // OpenSSL decrypts in the context of the structure that it parses into.
        var handle = unsafe PKCS12_init_ex(NID_pkcs7_data, library, nil)
        let isWhole = unsafe file.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            guard unsafe d2i_PKCS12(&handle, &next, bytes.count) != nil else { return false }
            return unsafe next == bytes.baseAddress.map { unsafe $0 + bytes.count }
        }
        // After a failure, OpenSSL has freed the structure.
        guard isWhole, let handle = unsafe handle else {
            unsafe PKCS12_free(handle)
            throw .notPKCS12
        }
        unsafe self.handle = unsafe handle
        unsafe self.library = unsafe library
    }

    deinit { unsafe PKCS12_free(handle) }

    borrowing func contents(
        password: UnsafeRawBufferPointer?
    ) throws(PKCS12Error) -> SafeContents {
        var cost = PasswordCost()
        if let password = unsafe password, unsafe !password.isEmpty {
            return try unsafe contents(password, &cost)
        }
        // PKCS12_verify_mac(3): no password and an empty one lead to different keys.
        do throws(PKCS12Error) {
            return try unsafe contents(nil, &cost)
        } catch {
            guard error == .wrongPassword else { throw error }
        }
        do throws(PKCS12Error) {
            return try unsafe Secret([]).withUnsafeBytes { empty throws(PKCS12Error) in
                try unsafe contents(empty, &cost)
            }
        } catch {
            guard error == .wrongPassword, unsafe password == nil else { throw error }
            throw .passwordNeeded
        }
    }

    private borrowing func contents(
        _ password: UnsafeRawBufferPointer?, _ cost: inout PasswordCost
    ) throws(PKCS12Error) -> SafeContents {
        try unsafe checkMAC(password, &cost)
        var contents = unsafe SafeContents(password: password, cost: cost, library: library)
        defer { cost = contents.cost }
        // Nil for a file that is signed instead of protected by a password.
        guard let safes = unsafe PKCS12_unpack_authsafes(handle) else {
            throw .unsupportedEncryption
        }
        defer {
            unsafe OPENSSL_sk_pop_free(safes) {
                unsafe PKCS7_free($0?.assumingMemoryBound(to: PKCS7.self))
            }
        }
        for index in 0..<max(0, unsafe OPENSSL_sk_num(safes)) {
            guard let safe = unsafe OPENSSL_sk_value(safes, index) else { continue }
            try unsafe contents.add(safe.assumingMemoryBound(to: PKCS7.self))
        }
        return contents
    }

    /// The MAC, which most files have, shows whether the password is right.
    private borrowing func checkMAC(
        _ password: UnsafeRawBufferPointer?, _ cost: inout PasswordCost
    ) throws(PKCS12Error) {
        guard unsafe PKCS12_mac_present(handle) == 1 else { return }
        var iterations: UnsafePointer<ASN1_INTEGER>?
        unsafe PKCS12_get0_mac(nil, nil, nil, &iterations, handle)
        // RFC 7292, 4: one if it is absent.
        let repetitions = unsafe iterations == nil ? 1 : positive(iterations)
        guard let repetitions, cost.takes(repetitions) else { throw .unsupportedEncryption }
        ERR_clear_error()
        let count = CInt(clamping: unsafe password?.count ?? 0)
        guard unsafe PKCS12_verify_mac(handle, password?.text, count) == 1 else {
            throw ERR_peek_error() == 0 ? .wrongPassword : .unsupportedEncryption
        }
    }
}

/// The keys and certificates of a file, in its order.
@safe private struct SafeContents {
    private(set) var keys: [PrivateKey] = []
    private(set) var certificates: [[UInt8]] = []
    private(set) var hasUnsupportedKey = false
    private(set) var cost: PasswordCost
    private let password: UnsafeRawBufferPointer?
    private let library: OpaquePointer?

    init(password: UnsafeRawBufferPointer?, cost: PasswordCost, library: OpaquePointer?) {
        unsafe self.password = unsafe password
        self.cost = cost
        unsafe self.library = unsafe library
    }

    /// Adds the contents of one safe, encrypted or not.
    mutating func add(_ safe: UnsafeMutablePointer<PKCS7>) throws(PKCS12Error) {
        let bags: OpaquePointer?
        ERR_clear_error()
        switch unsafe OBJ_obj2nid(safe.pointee.type) {
        case NID_pkcs7_data:
            unsafe bags = unsafe PKCS12_unpack_p7data(safe)
            guard unsafe bags != nil else { throw .notPKCS12 }
        case NID_pkcs7_encrypted:
            guard let encrypted = unsafe safe.pointee.d.encrypted,
                let sealed = unsafe encrypted.pointee.enc_data,
                unsafe sealed.pointee.enc_data != nil
            else { throw .notPKCS12 }
            guard unsafe cost.takes(sealed.pointee.algorithm) else {
                throw .unsupportedEncryption
            }
            let count = CInt(clamping: unsafe password?.count ?? 0)
            unsafe bags = unsafe PKCS12_unpack_p7encdata(safe, password?.text, count)
            guard unsafe bags != nil else { throw PKCS12Error(DecryptionFailure.ofOpenSSL) }
        default:
            // Encrypted for a certificate instead of with a password.
            throw .unsupportedEncryption
        }
        defer { unsafe OPENSSL_sk_pop_free(bags) { unsafe PKCS12_SAFEBAG_free(OpaquePointer($0)) } }
        try unsafe add(bags: bags)
    }

    /// OpenSSL bounds the depth of nested bags when it parses them.
    private mutating func add(bags: OpaquePointer?) throws(PKCS12Error) {
        for index in 0..<max(0, unsafe OPENSSL_sk_num(bags)) {
            guard let raw = unsafe OPENSSL_sk_value(bags, index) else { continue }
            let bag = OpaquePointer(raw)
            switch unsafe PKCS12_SAFEBAG_get_nid(bag) {
            case NID_safeContentsBag:
                try unsafe add(bags: PKCS12_SAFEBAG_get0_safes(bag))
            case NID_keyBag:
                unsafe add(key: PKCS12_SAFEBAG_get0_p8inf(bag))
            case NID_pkcs8ShroudedKeyBag:
                guard let sealed = unsafe PKCS12_SAFEBAG_get0_pkcs8(bag) else { continue }
                let plain: OpaquePointer
                do throws(DecryptionFailure) {
                    unsafe plain = try unsafe decrypted(
                        sealed, password: password, cost: &cost, in: library)
                } catch {
                    throw PKCS12Error(error)
                }
                defer { unsafe PKCS8_PRIV_KEY_INFO_free(plain) }
                unsafe add(key: plain)
            case NID_certBag where unsafe PKCS12_SAFEBAG_get_bag_nid(bag) == NID_x509Certificate:
                guard let certificate = unsafe PKCS12_SAFEBAG_get1_cert(bag) else {
                    throw .notPKCS12
                }
                defer { unsafe X509_free(certificate) }
                unsafe certificates.append(Certificate(sharing: certificate).der)
            default:
                // Revocation lists and other secrets.
                continue
            }
        }
    }

    private mutating func add(key plain: OpaquePointer?) {
        // The key belongs to the global context, which lives longer than the one of this file.
        guard let plain = unsafe plain, let handle = unsafe EVP_PKCS82PKEY(plain),
            let key = try? unsafe PrivateKey(handle)
        else {
            hasUnsupportedKey = true
            return
        }
        keys.append(key)
    }
}

extension PKCS12Error {
    fileprivate init(_ failure: DecryptionFailure) {
        switch failure {
        case .wrongPassword: self = .wrongPassword
        case .unsupported: self = .unsupportedEncryption
        }
    }
}
