internal import Bytes
import CCrypto
package import Foundation

/// An X.509 certificate, released when it goes out of scope.
@safe package struct Certificate: ~Copyable {
    let handle: OpaquePointer

    /// Takes ownership of the caller's reference.
    private init(_ handle: OpaquePointer) {
        unsafe self.handle = unsafe handle
    }

    /// Nil unless the bytes are exactly one DER certificate.
    package init?(der: [UInt8]) {
        let parsed = unsafe der.withUnsafeBufferPointer { bytes -> OpaquePointer? in
            var next = bytes.baseAddress
            guard let certificate = unsafe d2i_X509(nil, &next, bytes.count) else { return nil }
            guard unsafe next == bytes.baseAddress.map({ unsafe $0 + bytes.count }) else {
                unsafe X509_free(certificate)
                return nil
            }
            return unsafe certificate
        }
        ERR_clear_error()
        guard let handle = unsafe parsed else { return nil }
        unsafe self.handle = unsafe handle
    }

    deinit { unsafe X509_free(handle) }

    /// Another reference to the same certificate.
    var shared: Certificate { unsafe Certificate(sharing: handle) }

    /// Creates another reference to the same certificate.
    init(sharing handle: OpaquePointer) {
        unsafe X509_up_ref(handle)
        unsafe self.handle = unsafe handle
    }

    package var notBefore: Date { unsafe date(X509_get0_notBefore(handle)) ?? .distantFuture }
    package var notAfter: Date { unsafe date(X509_get0_notAfter(handle)) ?? .distantPast }

    /// The SHA-256 of the certificate, in lower-case hexadecimal digits.
    package var fingerprint: String {
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        guard unsafe X509_digest(handle, EVP_sha256(), &digest, &count) == 1 else { return "" }
        return hexadecimal(digest.prefix(Int(count)))
    }

    /// The common name of the subject, or else the whole subject on one line, for display.
    package var name: String { unsafe displayName(X509_get_subject_name(handle)) }
    /// The same of the issuer.
    package var issuerName: String { unsafe displayName(X509_get_issuer_name(handle)) }

    /// Equal for names that OpenSSL considers equal.
    package var subjectHash: UInt { unsafe UInt(X509_subject_name_hash(handle)) }
    package var issuerHash: UInt { unsafe UInt(X509_issuer_name_hash(handle)) }

    /// All values of one attribute of the subject, for display.
    package func subject(_ kind: NameAttribute) -> [String] {
        subjectBytes(kind).map { String(streamSafe: $0) }
    }

    /// The same as raw UTF-8, for comparison.
    package func subjectBytes(_ kind: NameAttribute) -> [[UInt8]] {
        unsafe values(of: kind, in: X509_get_subject_name(handle))
    }

    /// The user ID of the subject, which contains the pass type.
    package var passTypeIdentifier: String? { subject(.userID).first }
    /// The organizational unit of the subject, which contains the team.
    package var teamIdentifier: String? { subject(.organizationalUnit).first }

    /// The extended key usages (RFC 5280, 4.2.1.12), as dotted object identifiers; empty if the
    /// extension is repeated, or has other bytes after the list.
    package var extendedKeyUsage: [String] {
        let extensions = extensions("2.5.29.37")
        guard extensions.count == 1, let list = extensions.first else { return [] }
        let parsed = unsafe list.withUnsafeBufferPointer { bytes -> OpaquePointer? in
            var next = bytes.baseAddress
            guard let usages = unsafe d2i_EXTENDED_KEY_USAGE(nil, &next, bytes.count) else {
                return nil
            }
            guard unsafe next == bytes.baseAddress.map({ unsafe $0 + bytes.count }) else {
                unsafe EXTENDED_KEY_USAGE_free(usages)
                return nil
            }
            return unsafe usages
        }
        ERR_clear_error()
        guard let usages = unsafe parsed else { return [] }
        defer { unsafe EXTENDED_KEY_USAGE_free(usages) }
        let count = unsafe max(0, OPENSSL_sk_num(usages))
        return (0..<count).map { index in
            unsafe objectText(
                OPENSSL_sk_value(usages, index).map { OpaquePointer($0) }, inDigits: true)
        }
    }

    /// Whether the certificate is limited to other purposes than this one.
    package func excludes(purpose: String) -> Bool {
        let any = "2.5.29.37.0"
        return !extensions("2.5.29.37").isEmpty
            && !extendedKeyUsage.contains { $0 == purpose || $0 == any }
    }

    /// The contents of all extensions with this object identifier.
    package func extensions(_ identifier: String) -> [[UInt8]] {
        let object = unsafe OBJ_txt2obj(identifier, 1)
        defer { unsafe ASN1_OBJECT_free(object) }
        var contents: [[UInt8]] = []
        var place = unsafe X509_get_ext_by_OBJ(handle, object, -1)
        while place >= 0 {
            let value = unsafe X509_EXTENSION_get_data(X509_get_ext(handle, place))
            contents.append(unsafe bytes(of: value))
            place = unsafe X509_get_ext_by_OBJ(handle, object, place)
        }
        return contents
    }

    /// The security strength of the key in bits: 80 for 1024-bit RSA.
    package var keyStrength: Int {
        guard let key = unsafe X509_get0_pubkey(handle) else { return 0 }
        return unsafe Int(EVP_PKEY_get_security_bits(key))
    }

    /// The length of an RSA key in bits; nil for other keys.
    package var rsaKeySize: Int? {
        guard let key = unsafe X509_get0_pubkey(handle),
            unsafe EVP_PKEY_is_a(key, "RSA") == 1 || EVP_PKEY_is_a(key, "RSA-PSS") == 1
        else { return nil }
        return unsafe Int(EVP_PKEY_get_bits(key))
    }

    /// What is unusual about a key that Wallet does not accept, such as its curve; nil for RSA with
    /// an exponent of at least 3, and for the curves of NIST.
    package var unusualKey: String? {
        guard let key = unsafe X509_get0_pubkey(handle) else { return nil }
        if rsaKeySize != nil {
            let exponent = unsafe number("e", of: key) ?? []
            // RFC 8017, 3.1. With an exponent of 1, anybody can sign.
            let isUsual = exponent.count > 1 || exponent.first.map { $0 >= 3 } ?? false
            return isUsual ? nil : "RSA, e = \(exponent.first ?? 0)"
        }
        guard unsafe EVP_PKEY_is_a(key, "EC") == 1 else {
            let name = unsafe EVP_PKEY_get0_type_name(key)
            return unsafe name.map { unsafe String(cString: $0).streamSafe } ?? "?"
        }
        return unsafe EllipticCurve(of: key) == nil ? EllipticCurve.name(of: key) : nil
    }

    /// Whether its key may sign data (RFC 5280, 4.2.1.3); also without a key usage.
    package var maySign: Bool {
        unsafe X509_get_key_usage(handle) & UInt32(KU_DIGITAL_SIGNATURE) != 0
    }

    /// The certificate in DER.
    package var der: [UInt8] {
        var encoded: UnsafeMutablePointer<UInt8>?
        let count = unsafe i2d_X509(handle, &encoded)
        guard count > 0, let encoded = unsafe encoded else { return [] }
        defer { unsafe CRYPTO_free(encoded, #file, #line) }
        return unsafe Array(UnsafeBufferPointer(start: encoded, count: Int(count)))
    }

    /// The public key (RFC 5280, 4.1: SubjectPublicKeyInfo) in DER.
    var publicKey: [UInt8] {
        var encoded: UnsafeMutablePointer<UInt8>?
        let count = unsafe i2d_X509_PUBKEY(X509_get_X509_PUBKEY(handle), &encoded)
        guard count > 0, let encoded = unsafe encoded else { return [] }
        defer { unsafe CRYPTO_free(encoded, #file, #line) }
        return unsafe Array(UnsafeBufferPointer(start: encoded, count: Int(count)))
    }

    /// The serial number, in lower-case hexadecimal digits.
    package var serialNumber: String {
        hexadecimal(unsafe bytes(of: X509_get0_serialNumber(handle)))
    }

    /// Whether subject and issuer have the same name.
    package var isSelfIssued: Bool {
        unsafe X509_NAME_cmp(X509_get_subject_name(handle), X509_get_issuer_name(handle)) == 0
    }

    /// Whether another certificate's key made the signature of this one. The names must match, and
    /// the key identifiers where both certificates have one.
    package func isSigned(by issuer: borrowing Certificate) -> Bool {
        defer { ERR_clear_error() }
        return unsafe X509_check_issued(issuer.handle, handle) == X509_V_OK
            && X509_verify(handle, X509_get0_pubkey(issuer.handle)) == 1
    }

    /// Whether this is a signature over the message by the certificate's key: with SHA-256, RSA
    /// with PKCS #1 v1.5 or ECDSA in DER.
    package func verifies(_ signature: [UInt8], over message: [UInt8]) -> Bool {
        defer { ERR_clear_error() }
        guard let key = unsafe X509_get0_pubkey(handle), let state = unsafe EVP_MD_CTX_new()
        else { return false }
        defer { unsafe EVP_MD_CTX_free(state) }
        return unsafe EVP_DigestVerifyInit(state, nil, EVP_sha256(), nil, key) == 1
            && EVP_DigestVerify(state, signature, signature.count, message, message.count) == 1
    }

    /// The public key in the form of SSH: RSA (RFC 4253, 6.6) or ECDSA (RFC 5656, 3.1); nil for
    /// other keys.
    package var sshPublicKey: [UInt8]? {
        defer { ERR_clear_error() }
        guard let key = unsafe X509_get0_pubkey(handle) else { return nil }
        if unsafe EVP_PKEY_is_a(key, "RSA") == 1 {
            guard let exponent = unsafe number("e", of: key),
                let modulus = unsafe number("n", of: key)
            else { return nil }
            return sshString(Array("ssh-rsa".utf8)) + sshInteger(exponent) + sshInteger(modulus)
        }
        guard unsafe EVP_PKEY_is_a(key, "EC") == 1, let curve = unsafe EllipticCurve(of: key),
            let point = unsafe point(of: key)
        else { return nil }
        let name =
            switch curve {
            case .p256: "nistp256"
            case .p384: "nistp384"
            case .p521: "nistp521"
            }
        return sshString(Array("ecdsa-sha2-\(name)".utf8)) + sshString(Array(name.utf8))
            + sshString(point)
    }

    /// Whether the certificate's signature uses a broken digest.
    package var hasBrokenDigest: Bool {
        var digest = NID_undef
        unsafe X509_get_signature_info(handle, &digest, nil, nil, nil)
        return [NID_md2, NID_md4, NID_md5].contains(digest)
    }
}

extension Certificate {
    /// The certificates in a file, in DER: one in DER, which is not parsed yet, or those in PEM.
    ///
    /// - Returns: Nil if the file is neither, or a certificate in it is damaged; empty for PEM
    ///   without a certificate.
    package static func list(in file: [UInt8]) -> [[UInt8]]? {
        guard file.first != BERReader.Tag.sequence else { return [file] }
        let text = String(streamSafe: file)
        var found: [[UInt8]] = []
        var rest = text[...]
        while let begin = rest.firstRange(of: pemBeginning) {
            rest = rest[begin.upperBound...]
            guard let end = rest.firstRange(of: pemEnding),
                let der = Data(
                    base64Encoded: String(rest[..<end.lowerBound]),
                    options: .ignoreUnknownCharacters)
            else { return nil }
            found.append(Array(der))
            rest = rest[end.upperBound...]
        }
        return found.isEmpty && !text.contains("-----BEGIN ") ? nil : found
    }

    /// The lines around a certificate in PEM (RFC 7468, 5.1).
    static let pemBeginning = "-----BEGIN CERTIFICATE-----"
    static let pemEnding = "-----END CERTIFICATE-----"

    /// A certificate in DER as PEM.
    package static func pem(_ der: [UInt8]) -> String {
        pemText(PEM_STRING_X509, der)
    }
}

/// An attribute of a name (X.520).
package enum NameAttribute: Sendable {
    case commonName, userID, organizationalUnit

    fileprivate var number: CInt {
        switch self {
        case .commonName: NID_commonName
        case .userID: NID_userId
        case .organizationalUnit: NID_organizationalUnitName
        }
    }
}

extension Certificate {
    /// A self-issued certificate with this name and key. OpenSSL does not verify signatures of
    /// trusted certificates but requires one, so it is signed with an arbitrary key.
    static func authority(
        subject: [UInt8], key: [UInt8], notBefore: Date, notAfter: Date
    ) -> Certificate? {
        guard let handle = unsafe X509_new() else { return nil }
        let certificate = unsafe Certificate(handle)
        let name = unsafe subject.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            return unsafe d2i_X509_NAME(nil, &next, bytes.count)
        }
        defer { unsafe X509_NAME_free(name) }
        let publicKey = unsafe key.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            return unsafe d2i_PUBKEY(nil, &next, bytes.count)
        }
        defer { unsafe EVP_PKEY_free(publicKey) }
        let from = unsafe ASN1_TIME_set(nil, time_t(notBefore.timeIntervalSince1970))
        defer { unsafe ASN1_STRING_free(from) }
        let to = unsafe ASN1_TIME_set(nil, time_t(notAfter.timeIntervalSince1970))
        defer { unsafe ASN1_STRING_free(to) }
        let authority = unsafe BASIC_CONSTRAINTS_new()
        defer { unsafe BASIC_CONSTRAINTS_free(authority) }
        unsafe authority?.pointee.ca = 0xff
        let seed = [UInt8](repeating: 0, count: 32)
        let signer = unsafe EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, seed, seed.count)
        defer { unsafe EVP_PKEY_free(signer) }
        guard unsafe name != nil, unsafe publicKey != nil, unsafe X509_set_version(handle, 2) == 1,
            unsafe X509_set_subject_name(handle, name) == 1,
            unsafe X509_set_issuer_name(handle, name) == 1,
            unsafe X509_set_pubkey(handle, publicKey) == 1,
            unsafe X509_set1_notBefore(handle, from) == 1,
            unsafe X509_set1_notAfter(handle, to) == 1,
            unsafe X509_add1_ext_i2d(handle, NID_basic_constraints, authority, 1, 0) == 1,
            unsafe X509_sign(handle, signer, nil) > 0
        else { return nil }
        return certificate
    }
}

/// A block of PEM (RFC 7468).
func pemText(_ label: String, _ der: [UInt8]) -> String {
    let text = Data(der).base64EncodedString(options: [
        .lineLength64Characters, .endLineWithLineFeed,
    ])
    return "-----BEGIN \(label)-----\n\(text)\n-----END \(label)-----\n"
}

/// The date of an ASN.1 time.
func date(_ time: UnsafePointer<ASN1_TIME>?) -> Date? {
    var parts = unsafe tm()
    guard let time = unsafe time, unsafe ASN1_TIME_to_tm(time, &parts) == 1 else { return nil }
    return Date(timeIntervalSince1970: TimeInterval(unsafe timegm(&parts)))
}

func bytes(of string: UnsafePointer<ASN1_STRING>?) -> [UInt8] {
    guard let string = unsafe string, let start = unsafe ASN1_STRING_get0_data(string) else {
        return []
    }
    return unsafe Array(
        UnsafeBufferPointer(start: start, count: Int(ASN1_STRING_length(string))))
}

private func number(_ name: String, of key: OpaquePointer) -> [UInt8]? {
    var number: OpaquePointer?
    guard unsafe EVP_PKEY_get_bn_param(key, name, &number) == 1, let number = unsafe number
    else { return nil }
    defer { unsafe BN_free(number) }
    var bytes = [UInt8](repeating: 0, count: (Int(unsafe BN_num_bits(number)) + 7) / 8)
    unsafe BN_bn2bin(number, &bytes)
    return bytes
}

/// The uncompressed point of a key (SEC 1, 2.3.3); nil if the certificate compresses it.
private func point(of key: OpaquePointer) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 256)
    var count = 0
    guard unsafe EVP_PKEY_get_octet_string_param(key, "pub", &bytes, bytes.count, &count) == 1,
        bytes[0] == 4
    else { return nil }
    return Array(bytes.prefix(count))
}

private func utf8(of string: UnsafePointer<ASN1_STRING>?) -> [UInt8] {
    var start: UnsafeMutablePointer<UInt8>?
    let count = unsafe ASN1_STRING_to_UTF8(&start, string)
    guard count >= 0, let start = unsafe start else { return [] }
    defer { unsafe CRYPTO_free(start, #file, #line) }
    return unsafe Array(UnsafeBufferPointer(start: start, count: Int(count)))
}

/// The common name, or else all attributes, as people write them: without the escapes of RFC 4514,
/// which readers of a message take for a part of the name.
private func displayName(_ name: OpaquePointer?) -> String {
    let commonName = unsafe values(of: .commonName, in: name).first { !$0.isEmpty }
    return unsafe commonName.map { String(streamSafe: $0) } ?? line(of: name)
}

private func values(of kind: NameAttribute, in name: OpaquePointer?) -> [[UInt8]] {
    var values: [[UInt8]] = []
    var place = unsafe X509_NAME_get_index_by_NID(name, kind.number, -1)
    while place >= 0 {
        let value = unsafe X509_NAME_ENTRY_get_data(X509_NAME_get_entry(name, place))
        values.append(unsafe utf8(of: value))
        place = unsafe X509_NAME_get_index_by_NID(name, kind.number, place)
    }
    return values
}

private func line(of name: OpaquePointer?) -> String {
    guard let memory = unsafe BIO_new(BIO_s_mem()) else { return "" }
    defer { unsafe BIO_free(memory) }
    // As XN_FLAG_RFC2253, which Swift does not import, but only control characters are escaped.
    let text = ASN1_STRFLGS_ESC_CTRL | ASN1_STRFLGS_UTF8_CONVERT
    let unknown = ASN1_STRFLGS_DUMP_UNKNOWN | ASN1_STRFLGS_DUMP_DER
    let style = UInt(text | unknown) | UInt(XN_FLAG_SEP_CPLUS_SPC | XN_FLAG_DN_REV)
    guard unsafe X509_NAME_print_ex(memory, name, 0, style) > 0 else { return "" }
    var line = [UInt8](repeating: 0, count: 4096)
    let count = unsafe BIO_read(memory, &line, CInt(line.count))
    return String(streamSafe: line.prefix(max(0, Int(count))))
}
