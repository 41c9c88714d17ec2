import CCrypto
package import Foundation

/// A parsed CMS SignedData (RFC 5652), freed when it goes out of scope.
@safe package struct SignedData: ~Copyable {
    private let handle: OpaquePointer
    package let certificates: EmbeddedCertificates

    /// Accepts DER and BER. VIOLATIONS.md, C1: bytes after the end.
    ///
    /// - Parameter known: A cache of parsed certificates.
    package init?(_ bytes: [UInt8], known: KnownCertificates? = nil) {
        var bytes = bytes
        var certificates: EmbeddedCertificates?
        if let known, let split = SplitSignature(bytes) {
            certificates = known.certificates(split.certificates)
            if certificates != nil { bytes = split.rest }
        }
        let parsed = unsafe bytes.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            return unsafe d2i_CMS_ContentInfo(nil, &next, bytes.count)
        }
        ERR_clear_error()
        guard let handle = unsafe parsed else { return nil }
        guard unsafe OBJ_obj2nid(CMS_get0_type(handle)) == NID_pkcs7_signed else {
            unsafe CMS_ContentInfo_free(handle)
            return nil
        }
        unsafe self.handle = unsafe handle
        self.certificates = unsafe certificates ?? EmbeddedCertificates(CMS_get1_certs(handle))
    }

    deinit { unsafe CMS_ContentInfo_free(handle) }

    package var signerCount: Int {
        unsafe Int(max(0, OPENSSL_sk_num(CMS_get0_SignerInfos(handle))))
    }

    /// The encapsulated content; nil if the signature is detached.
    package var attachedContent: [UInt8]? {
        guard let place = unsafe CMS_get0_content(handle), let content = unsafe place.pointee else {
            return nil
        }
        return unsafe bytes(of: content)
    }

    /// Whether all content types are plain data; any other means that the signature was made for
    /// another purpose, such as a time stamp.
    package var isOverData: Bool {
        guard unsafe OBJ_obj2nid(CMS_get0_eContentType(handle)) == NID_pkcs7_data else {
            return false
        }
        guard let signer = unsafe firstSigner, unsafe CMS_signed_get_attr_count(signer) > 0 else {
            return true
        }
        let type = unsafe CMS_signed_get0_data_by_OBJ(
            signer, OBJ_nid2obj(NID_pkcs9_contentType), -3, V_ASN1_OBJECT)
        return unsafe OBJ_obj2nid(type.map { OpaquePointer($0) }) == NID_pkcs7_data
    }

    /// Whether every signature verifies over this content with the key of an embedded certificate.
    /// The certificate itself is not checked. VIOLATIONS.md, C2: signed attributes in any order.
    package func verifies(over content: [UInt8]) -> Bool {
        defer { ERR_clear_error() }
        guard let count = CInt(exactly: content.count) else { return false }
        let flags = UInt32(CMS_NO_SIGNER_CERT_VERIFY | CMS_BINARY)
        // Add a byte, so that the buffer has an address even if empty.
        return unsafe (content + [0]).withUnsafeBufferPointer { bytes in
            // For a memory BIO, CMS_verify creates a second one, which it leaks if a digest is
            // unknown (openssl/openssl#30471); it reads through a filter directly.
            guard let filter = unsafe BIO_new(BIO_f_null()) else { return false }
            defer { unsafe BIO_free_all(filter) }
            guard let memory = unsafe BIO_new_mem_buf(bytes.baseAddress, count) else {
                return false
            }
            unsafe BIO_push(filter, memory)
            return unsafe CMS_verify(handle, certificates.stack, nil, filter, nil, flags) == 1
        }
    }

    /// The certificate of the first signer; nil before `verifies`, and if it is not embedded.
    package var signer: Certificate? {
        var certificate: OpaquePointer?
        guard let signer = unsafe firstSigner else { return nil }
        unsafe CMS_SignerInfo_get0_algs(signer, nil, &certificate, nil, nil)
        guard let certificate = unsafe certificate else { return nil }
        return unsafe Certificate(sharing: certificate)
    }

    /// The digest algorithm of the first signer, and whether it is secure (VIOLATIONS.md, C5: SHA-1
    /// is).
    package var digest: (name: String, isSound: Bool) {
        var algorithm: UnsafeMutablePointer<X509_ALGOR>?
        var object: OpaquePointer?
        guard let signer = unsafe firstSigner else { return ("", false) }
        unsafe CMS_SignerInfo_get0_algs(signer, nil, nil, &algorithm, nil)
        guard let algorithm = unsafe algorithm else { return ("", false) }
        unsafe X509_ALGOR_get0(&object, nil, nil, algorithm)
        let kind = unsafe OBJ_obj2nid(object)
        let name = unsafe OBJ_nid2sn(kind).map { unsafe String(cString: $0) } ?? "unknown"
        return (
            name, [NID_sha1, NID_sha224, NID_sha256, NID_sha384, NID_sha512].contains(kind)
        )
    }

    /// The signing time in the signed attributes (RFC 5652, 11.3: one attribute with one value).
    /// VIOLATIONS.md, C3: GeneralizedTime before 2050.
    package var signingTime: SigningTime {
        guard let signer = unsafe firstSigner else { return .absent }
        let place = unsafe CMS_signed_get_attr_by_NID(signer, NID_pkcs9_signingTime, -1)
        guard place >= 0, let attribute = unsafe CMS_signed_get_attr(signer, place) else {
            return .absent
        }
        guard unsafe CMS_signed_get_attr_by_NID(signer, NID_pkcs9_signingTime, place) < 0,
            unsafe X509_ATTRIBUTE_count(attribute) == 1
        else { return .repeated }
        for type in [V_ASN1_UTCTIME, V_ASN1_GENERALIZEDTIME] {
            guard let value = unsafe X509_ATTRIBUTE_get0_data(attribute, 0, type, nil) else {
                continue
            }
            let time = unsafe date(value.assumingMemoryBound(to: ASN1_TIME.self))
            return time.map { .at($0) } ?? .unreadable
        }
        return .unreadable
    }

    /// A digest of what was signed and by which key: the content, the signed attributes and the
    /// public key. Nil before `verifies`, and unless there is exactly one signer.
    ///
    /// Without the key, anybody can encode a signature in another way, add certificates and
    /// unsigned attributes, or negate a number of an ECDSA signature: this digest stays the same.
    package func statement(over content: [UInt8]) -> String? {
        guard signerCount == 1, let info = unsafe firstSigner, let certificate = signer else {
            return nil
        }
        var hash = Hash(.sha256)
        hash.add(Digest.sha256Bytes(content).span)
        hash.add(certificate.publicKey.span)
        for place in unsafe 0..<max(0, CMS_signed_get_attr_count(info)) {
            var encoded: UnsafeMutablePointer<UInt8>?
            let count = unsafe i2d_X509_ATTRIBUTE(CMS_signed_get_attr(info, place), &encoded)
            guard count > 0, let encoded = unsafe encoded else { return nil }
            defer { unsafe CRYPTO_free(encoded, #file, #line) }
            hash.add(
                unsafe Span(
                    _unsafeElements: UnsafeBufferPointer(start: encoded, count: Int(count))))
        }
        let digest = hash.finish()
        return digest.isEmpty ? nil : digest
    }

    private var firstSigner: OpaquePointer? {
        unsafe OPENSSL_sk_value(CMS_get0_SignerInfos(handle), 0).map { OpaquePointer($0) }
    }
}

package enum SigningTime: Equatable {
    case absent, repeated, unreadable
    case at(Date)
}
