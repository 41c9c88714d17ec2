import CCrypto
package import Foundation
import Synchronization

/// Trust anchors as an OpenSSL store.
///
/// `@unchecked Sendable`: mutable state is protected by a mutex, and OpenSSL locks the store
/// itself.
@safe package final class CertificateStore: @unchecked Sendable {
    private let store: OpaquePointer?
    private let anchors: [AnchorMaterial]
    private let contents = Mutex<Contents?>(nil)

    private struct Contents {
        /// The indices of added anchors by the fingerprint of their certificates in the store.
        var present: [String: Int] = [:]
        /// Anchors not added to the store yet, by subject.
        var absent: [(subject: UInt, index: Int)]
    }

    package init(_ anchors: [AnchorMaterial]) {
        unsafe store = X509_STORE_new()
        self.anchors = anchors
    }

    deinit { unsafe X509_STORE_free(store) }

    /// Adds the anchors with the names of these certificates or their issuers, and returns all
    /// added anchors by fingerprint. OpenSSL looks up anchors by name, and creating one takes half a
    /// millisecond; most are never needed.
    private func add(for certificates: EmbeddedCertificates) -> [String: Int] {
        contents.withLock { contents in
            var found =
                contents
                ?? Contents(absent: anchors.indices.map { (anchors[$0].subjectHash, $0) })
            var wanted = certificates.names
            while true {
                let needed = found.absent.filter { wanted.contains($0.subject) }
                guard !needed.isEmpty else { break }
                found.absent.removeAll { wanted.contains($0.subject) }
                wanted = []
                for (_, index) in needed {
                    guard let certificate = anchors[index].certificate else { continue }
                    unsafe X509_STORE_add_cert(store, certificate.handle)
                    found.present[certificate.fingerprint] = index
                    wanted.insert(certificate.issuerHash)
                }
            }
            ERR_clear_error()
            contents = found
            return found.present
        }
    }

    /// Builds the chain from the signer to an anchor, with all certificates checked at one time.
    package func path(
        from leaf: borrowing Certificate, through certificates: EmbeddedCertificates, at time: Date
    ) -> CertificateChain {
        defer { ERR_clear_error() }
        let anchors = add(for: certificates)
        guard let context = unsafe X509_STORE_CTX_new() else {
            return .failed([.outOfMemory])
        }
        defer { unsafe X509_STORE_CTX_free(context) }
        guard unsafe X509_STORE_CTX_init(context, store, leaf.handle, certificates.stack) == 1
        else { return .failed([.outOfMemory]) }
        let rules = unsafe X509_STORE_CTX_get0_param(context)
        // VIOLATIONS.md, C9: Apple's intermediates are anchors, so that they need not be in the
        // signature.
        unsafe X509_VERIFY_PARAM_set_flags(rules, UInt(X509_V_FLAG_PARTIAL_CHAIN))
        unsafe X509_VERIFY_PARAM_set_time(rules, time_t(wholeSeconds(time)))
        // Pass certificates have a purpose defined by Apple, which `PassCertificate` checks.
        unsafe X509_VERIFY_PARAM_set_purpose(rules, X509_PURPOSE_ANY)
        unsafe X509_VERIFY_PARAM_set_depth(rules, 6)
        // VIOLATIONS.md, C8: certificates signed with SHA-1.
        unsafe X509_VERIFY_PARAM_set_auth_level(rules, 0)
        guard unsafe X509_verify_cert(context) == 1 else {
            return .failed([unsafe failure(context, at: time)])
        }
        return unsafe path(context, anchors)
    }

    /// Checks a chain that OpenSSL accepted. The anchor need not be the last certificate: OpenSSL
    /// appends further certificates of the signature.
    private func path(
        _ context: OpaquePointer, _ anchors: [String: Int]
    ) -> CertificateChain {
        let chain = unsafe X509_STORE_CTX_get0_chain(context)
        var failures: [ChainFailure] = []
        for index in 0..<max(0, unsafe OPENSSL_sk_num(chain)) {
            guard let raw = unsafe OPENSSL_sk_value(chain, index) else { break }
            let certificate = unsafe Certificate(sharing: OpaquePointer(raw))
            if let anchor = anchors[certificate.fingerprint] {
                return failures.isEmpty ? .anchored(anchor) : .failed(failures)
            }
            if certificate.hasBrokenDigest {
                failures.append(.weakDigest(certificate: certificate.name))
            }
        }
        return .failed([.noAnchor])
    }

    private func failure(_ context: OpaquePointer, at time: Date) -> ChainFailure {
        let code = unsafe X509_STORE_CTX_get_error(context)
        let current = unsafe X509_STORE_CTX_get_current_cert(context).map {
            unsafe Certificate(sharing: $0)
        }
        guard let certificate = consume current else {
            return .openSSL(reason: words(code), certificate: nil)
        }
        switch code {
        case X509_V_ERR_CERT_HAS_EXPIRED, X509_V_ERR_CERT_NOT_YET_VALID:
            return .notValid(
                name: certificate.name, from: certificate.notBefore,
                to: max(certificate.notBefore, certificate.notAfter), at: time)
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
            X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT,
            X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_CERT_UNTRUSTED:
            return .noPath(
                certificate: certificate.name, issuer: certificate.issuerLine)
        default:
            return .openSSL(reason: words(code), certificate: certificate.name)
        }
    }
}

private func words(_ code: CInt) -> String {
    unsafe String(cString: X509_verify_cert_error_string(Int(code)))
}
