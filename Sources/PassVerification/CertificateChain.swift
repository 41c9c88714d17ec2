import CCrypto
import Foundation

/// Where the certificates of a signature lead.
enum CertificateChain: Equatable {
    /// To the anchor of this name.
    case anchored(String)
    case failed([Finding])
}

/// The anchors as OpenSSL looks them up.
///
/// `@unchecked Sendable`: the store is filled before anybody else can see it and only read from then
/// on, and OpenSSL guards its look-ups with a lock of its own.
@safe final class AnchorStore: @unchecked Sendable {
    private let store: OpaquePointer?
    private var names: [String: String] = [:]

    init(_ anchors: TrustAnchors) {
        unsafe store = X509_STORE_new()
        for anchor in anchors.all {
            guard let certificate = anchor.certificate else { continue }
            unsafe X509_STORE_add_cert(store, certificate.handle)
            names[certificate.fingerprint] = anchor.name
        }
        ERR_clear_error()
    }

    deinit { unsafe X509_STORE_free(store) }

    /// Leads from the signer to an anchor, all certificates judged as of one moment.
    func chain(from leaf: borrowing Certificate, in signature: borrowing SignedData, at time: Date)
        -> CertificateChain
    {
        defer { ERR_clear_error() }
        guard let context = unsafe X509_STORE_CTX_new() else {
            return .failed([.chainInvalid("out of memory")])
        }
        defer { unsafe X509_STORE_CTX_free(context) }
        guard unsafe X509_STORE_CTX_init(context, store, leaf.handle, signature.certificates) == 1
        else { return .failed([.chainInvalid("out of memory")]) }
        let rules = unsafe X509_STORE_CTX_get0_param(context)
        // An intermediate of Apple is an anchor by itself.
        unsafe X509_VERIFY_PARAM_set_flags(rules, UInt(X509_V_FLAG_PARTIAL_CHAIN))
        unsafe X509_VERIFY_PARAM_set_time(rules, time_t(clamping(time)))
        // The purpose of a pass certificate is Apple's own; `PassCertificate` asks for it.
        unsafe X509_VERIFY_PARAM_set_purpose(rules, X509_PURPOSE_ANY)
        unsafe X509_VERIFY_PARAM_set_depth(rules, 6)
        // Certificates of 2012 are signed with SHA-1.
        unsafe X509_VERIFY_PARAM_set_auth_level(rules, 0)
        guard unsafe X509_verify_cert(context) == 1 else {
            return .failed([unsafe failure(context, at: time)])
        }
        return unsafe path(context)
    }

    /// What may be said of a path that OpenSSL found good.
    private func path(_ context: OpaquePointer) -> CertificateChain {
        let chain = unsafe X509_STORE_CTX_get0_chain(context)
        let count = unsafe OPENSSL_sk_num(chain)
        var findings: [Finding] = []
        var anchor: String?
        for index in 0..<max(0, count) {
            guard let raw = unsafe OPENSSL_sk_value(chain, index) else { continue }
            let certificate = unsafe Certificate(sharing: OpaquePointer(raw))
            if index == count - 1 {
                anchor = names[certificate.fingerprint]
            } else if certificate.hasBrokenDigest {
                findings.append(.chainWeakDigest(certificate.name))
            }
        }
        guard let anchor else { return .failed([.chainInvalid("it ends in no anchor")]) }
        return findings.isEmpty ? .anchored(anchor) : .failed(findings)
    }

    private func failure(_ context: OpaquePointer, at time: Date) -> Finding {
        let code = unsafe X509_STORE_CTX_get_error(context)
        let current = unsafe X509_STORE_CTX_get_current_cert(context).map {
            unsafe Certificate(sharing: $0)
        }
        guard let certificate = consume current else { return .chainInvalid(words(code)) }
        switch code {
        case X509_V_ERR_CERT_HAS_EXPIRED, X509_V_ERR_CERT_NOT_YET_VALID:
            return .certificateNotValid(
                certificate.name,
                certificate.notBefore...max(certificate.notBefore, certificate.notAfter), at: time)
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
            X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT,
            X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_CERT_UNTRUSTED:
            return .noPathToAnchor(certificate.name, issuer: certificate.issuerLine)
        default:
            return .chainInvalid("\(certificate.name): \(words(code))")
        }
    }
}

private func words(_ code: CInt) -> String {
    unsafe String(cString: X509_verify_cert_error_string(Int(code)))
}

private func clamping(_ time: Date) -> Int {
    Int(max(-1e11, min(1e11, time.timeIntervalSince1970.rounded(.down))))
}
