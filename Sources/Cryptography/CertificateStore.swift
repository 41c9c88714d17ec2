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
        /// The subject of each anchor.
        let subjects: [UInt]
        /// Anchors not added to the store yet.
        var absent: Set<Int>
    }

    package init(_ anchors: [AnchorMaterial]) {
        unsafe store = X509_STORE_new()
        self.anchors = anchors
    }

    deinit { unsafe X509_STORE_free(store) }

    /// Adds the anchors with the names of these certificates or their issuers, and returns all
    /// added anchors by fingerprint. OpenSSL looks up anchors by name, and creating one takes half a
    /// millisecond; most are never needed.
    private func add(for certificates: EmbeddedCertificates) -> Contents {
        contents.withLock { contents in
            var found =
                contents
                ?? Contents(
                    subjects: anchors.map(\.subjectHash), absent: Set(anchors.indices))
            var wanted = certificates.names
            while true {
                let needed = found.absent.filter { wanted.contains(found.subjects[$0]) }
                guard !needed.isEmpty else { break }
                found.absent.subtract(needed)
                wanted = []
                for index in needed.sorted() {
                    guard let certificate = anchors[index].certificate else { continue }
                    unsafe X509_STORE_add_cert(store, certificate.handle)
                    found.present[certificate.fingerprint] = index
                    wanted.insert(certificate.issuerHash)
                }
            }
            ERR_clear_error()
            contents = found
            return found
        }
    }

    /// Builds the chain from the signer to an anchor, with all certificates checked at one time.
    ///
    /// - Parameter purpose: An extended key usage that no certificate of the chain excludes, as a
    ///   dotted object identifier.
    package func path(
        from leaf: borrowing Certificate, through certificates: EmbeddedCertificates, at time: Date,
        for purpose: String
    ) -> CertificateChain {
        defer { ERR_clear_error() }
        let contents = add(for: certificates)
        let rules = Rules(time: time, purpose: purpose, anchors: contents.present)
        let first = unsafe path(from: leaf, through: certificates.stack, to: nil, rules)
        guard case .failed = first else { return first }
        // OpenSSL follows one issuer of a name and does not return to another.
        return search(from: leaf, through: certificates, contents, rules) ?? first
    }

    /// What applies to each certificate of a chain.
    private struct Rules {
        let time: Date
        let purpose: String
        /// The indices of anchors by the fingerprint of their certificates.
        let anchors: [String: Int]
    }

    /// Looks for a chain in which the issuer's key made each signature, among all issuers of a
    /// name.
    private func search(
        from leaf: borrowing Certificate, through certificates: EmbeddedCertificates,
        _ contents: Contents, _ rules: Rules
    ) -> CertificateChain? {
        // Bounds the work for certificates that all sign each other.
        var checks = 64
        var open: [[Int]] = [[]]
        while let chain = open.popLast() {
            let last = chain.last.flatMap { certificates[$0] } ?? leaf.shared
            let issuer = last.issuerHash
            for index in anchors.indices where contents.subjects[index] == issuer {
                guard checks > 0, let anchor = anchors[index].certificate else { continue }
                checks -= 1
                guard last.isSigned(by: anchor) else { continue }
                let stack = unsafe certificates.stack(of: chain)
                defer { unsafe OPENSSL_sk_free(stack) }
                let found = unsafe path(from: leaf, through: stack, to: anchor.handle, rules)
                if case .anchored = found { return found }
            }
            for index in (0..<certificates.count).reversed() where !chain.contains(index) {
                guard checks > 0, let next = certificates[index], next.subjectHash == issuer
                else { continue }
                checks -= 1
                if last.isSigned(by: next) { open.append(chain + [index]) }
            }
        }
        return nil
    }

    /// Builds a chain through these certificates, to one anchor or to any in the store (nil).
    private func path(
        from leaf: borrowing Certificate, through stack: OpaquePointer?, to anchor: OpaquePointer?,
        _ rules: Rules
    ) -> CertificateChain {
        guard let context = unsafe X509_STORE_CTX_new() else { return .failed([.outOfMemory]) }
        defer { unsafe X509_STORE_CTX_free(context) }
        let trusted = unsafe anchor == nil ? nil : OPENSSL_sk_new_null()
        defer { unsafe OPENSSL_sk_free(trusted) }
        guard unsafe X509_STORE_CTX_init(context, store, leaf.handle, stack) == 1 else {
            return .failed([.outOfMemory])
        }
        if let anchor = unsafe anchor {
            unsafe OPENSSL_sk_push(trusted, UnsafeRawPointer(anchor))
            unsafe X509_STORE_CTX_set0_trusted_stack(context, trusted)
        }
        let parameters = unsafe X509_STORE_CTX_get0_param(context)
        // VIOLATIONS.md, C9: Apple's intermediates are anchors, so that they need not be in the
        // signature. OpenSSL takes notAfter as exclusive, RFC 5280, 4.1.2.5, as inclusive, so
        // `anchored` compares the times.
        unsafe X509_VERIFY_PARAM_set_flags(
            parameters, UInt(X509_V_FLAG_PARTIAL_CHAIN | X509_V_FLAG_NO_CHECK_TIME))
        // `anchored` checks the purpose, which Apple defined.
        unsafe X509_VERIFY_PARAM_set_purpose(parameters, X509_PURPOSE_ANY)
        unsafe X509_VERIFY_PARAM_set_depth(parameters, 6)
        // VIOLATIONS.md, C8: certificates signed with SHA-1.
        unsafe X509_VERIFY_PARAM_set_auth_level(parameters, 0)
        guard unsafe X509_verify_cert(context) == 1 else {
            return .failed([unsafe failure(context)])
        }
        return unsafe anchored(X509_STORE_CTX_get0_chain(context), rules)
    }

    /// Checks a chain that OpenSSL accepted. The anchor need not be the last certificate: OpenSSL
    /// appends further certificates of the signature.
    private func anchored(_ chain: OpaquePointer?, _ rules: Rules) -> CertificateChain {
        var failures: [ChainFailure] = []
        var invalid: ChainFailure?
        for index in 0..<max(0, unsafe OPENSSL_sk_num(chain)) {
            guard let raw = unsafe OPENSSL_sk_value(chain, index) else { break }
            let certificate = unsafe Certificate(sharing: OpaquePointer(raw))
            let (from, to) = (certificate.notBefore, certificate.notAfter)
            let second = wholeSeconds(rules.time)
            if second < wholeSeconds(from) || second > wholeSeconds(to) {
                invalid = .notValid(
                    name: certificate.name, from: from, to: max(from, to), at: rules.time)
            }
            if let anchor = rules.anchors[certificate.fingerprint] {
                let found = (invalid.map { [$0] } ?? []) + failures
                return found.isEmpty ? .anchored(anchor) : .failed(found)
            }
            if certificate.hasBrokenDigest {
                failures.append(.weakDigest(certificate: certificate.name))
            }
            if index > 0, certificate.excludes(purpose: rules.purpose) {
                failures.append(
                    .openSSL(
                        reason: words(X509_V_ERR_INVALID_PURPOSE), certificate: certificate.name))
            }
            if index > 0, let key = certificate.unusualKey {
                failures.append(.unusualKey(certificate: certificate.name, key: key))
            }
        }
        return .failed([.noAnchor])
    }

    private func failure(_ context: OpaquePointer) -> ChainFailure {
        let code = unsafe X509_STORE_CTX_get_error(context)
        let current = unsafe X509_STORE_CTX_get_current_cert(context).map {
            unsafe Certificate(sharing: $0)
        }
        guard let certificate = consume current else {
            return .openSSL(reason: words(code), certificate: nil)
        }
        switch code {
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
            X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT,
            X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_CERT_UNTRUSTED:
            return .noPath(
                certificate: certificate.name, issuer: certificate.issuerName)
        default:
            return .openSSL(reason: words(code), certificate: certificate.name)
        }
    }
}

private func words(_ code: CInt) -> String {
    unsafe String(cString: X509_verify_cert_error_string(Int(code)))
}
