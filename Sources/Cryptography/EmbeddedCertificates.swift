import CCrypto
package import Foundation
import Synchronization

/// The certificates in a signature, with a cache of the anchors they chain to.
///
/// `@unchecked Sendable`: the stack is immutable after initialisation, and OpenSSL protects its
/// cached data about a certificate with a lock.
@safe package final class EmbeddedCertificates: @unchecked Sendable {
    let stack: OpaquePointer?
    /// The hashes of subjects and issuers.
    let names: Set<UInt>
    private let moments: [Int]
    private let anchors = Mutex<[Step: AnchorPosition]>([:])

    /// A signer, the stores that are asked for its chain, and an interval between times at which
    /// the validity of a certificate changes.
    private struct Step: Hashable {
        /// The address of the certificate.
        let signer: Int
        let momentsPassed: Int
        let stores: [Int]
    }

    /// Takes ownership of the stack.
    init(_ stack: OpaquePointer?) {
        unsafe self.stack = unsafe stack
        var (moments, names): ([Int], Set<UInt>) = ([], [])
        for index in 0..<max(0, unsafe OPENSSL_sk_num(stack)) {
            guard let raw = unsafe OPENSSL_sk_value(stack, index) else { continue }
            let certificate = unsafe Certificate(sharing: OpaquePointer(raw))
            moments += certificate.moments
            names.formUnion([certificate.subjectHash, certificate.issuerHash])
        }
        (self.moments, self.names) = (moments, names)
    }

    /// Nil if one of them is not a DER certificate.
    convenience init?(_ certificates: [ArraySlice<UInt8>]) {
        let stack = unsafe OPENSSL_sk_new_null()
        for der in certificates {
            guard let certificate = Certificate(der: Array(der)),
                unsafe X509_up_ref(certificate.handle) == 1
            else {
                unsafe free(stack)
                return nil
            }
            unsafe OPENSSL_sk_push(stack, UnsafeRawPointer(certificate.handle))
        }
        unsafe self.init(stack)
    }

    deinit { unsafe free(stack) }

    /// The certificates in DER, in the order of the signature.
    package var encoded: [[UInt8]] { (0..<count).compactMap { self[$0]?.der } }

    var count: Int { unsafe Int(max(0, OPENSSL_sk_num(stack))) }

    subscript(index: Int) -> Certificate? {
        guard let raw = unsafe OPENSSL_sk_value(stack, CInt(clamping: index)) else { return nil }
        return unsafe Certificate(sharing: OpaquePointer(raw))
    }

    /// A stack of the certificates at these places, which the caller frees without its elements.
    func stack(of indices: [Int]) -> OpaquePointer? {
        let part = unsafe OPENSSL_sk_new_null()
        for index in indices {
            unsafe OPENSSL_sk_push(part, OPENSSL_sk_value(stack, CInt(clamping: index)))
        }
        return unsafe part
    }

    /// The anchor that a signer chains to, cached.
    ///
    /// For a given set of certificates and of stores, the chain depends only on the time, which is
    /// compared only with the validity limits of certificates, so the result is the same between two
    /// such limits. Failures are not cached, since they contain the time.
    package func anchor(
        of signer: borrowing Certificate, at time: Date, among others: [Int],
        in stores: [Int], _ path: () -> AnchorPosition?
    ) -> AnchorPosition? {
        let second = wholeSeconds(time)
        let step = Step(
            signer: Int(bitPattern: unsafe signer.handle),
            momentsPassed: (moments + others).count { $0 <= second }, stores: stores)
        if let anchor = anchors.withLock({ $0[step] }) { return anchor }
        guard let anchor = path() else { return nil }
        anchors.withLock { $0[step] = anchor }
        return anchor
    }
}

/// An anchor, by the index of its store and its index in the store.
package struct AnchorPosition: Sendable {
    package let store: Int
    package let anchor: Int

    package init(store: Int, anchor: Int) {
        self.store = store
        self.anchor = anchor
    }
}

/// A cache of recently seen certificates. Most passes of an issuer contain the same ones, and
/// OpenSSL takes longer to parse a certificate than to verify a signature.
package final class KnownCertificates: Sendable {
    private let known = Mutex<[[UInt8]: EmbeddedCertificates]>([:])
    /// Real signatures contain two or three certificates, 4 KB in total.
    private static let limits = (signatures: 32, bytes: 8 << 10)

    package init() {}

    /// The parsed certificates; nil if one is invalid.
    func certificates(_ encoded: [ArraySlice<UInt8>]) -> EmbeddedCertificates? {
        let bytes = encoded.reduce(into: [UInt8]()) { $0 += $1 }
        if let certificates = known.withLock({ $0[bytes] }) { return certificates }
        guard let certificates = EmbeddedCertificates(encoded) else { return nil }
        if bytes.count <= Self.limits.bytes {
            known.withLock {
                if $0.count >= Self.limits.signatures { $0 = [:] }
                $0[bytes] = certificates
            }
        }
        return certificates
    }
}

private func free(_ stack: OpaquePointer?) {
    unsafe OPENSSL_sk_pop_free(stack) { unsafe X509_free($0.map { OpaquePointer($0) }) }
}

extension Certificate {
    /// The seconds at which it becomes valid and invalid.
    fileprivate var moments: [Int] { validityMoments(notBefore, notAfter) }
}

/// The first second of a validity, and the first after it: notAfter is inclusive (RFC 5280, 4.1.2.5).
package func validityMoments(_ notBefore: Date, _ notAfter: Date) -> [Int] {
    [wholeSeconds(notBefore), wholeSeconds(notAfter) + 1]
}

/// Rounded to whole seconds, as in OpenSSL's comparisons.
package func wholeSeconds(_ time: Date) -> Int {
    Int(max(-1e11, min(1e11, time.timeIntervalSince1970.rounded(.down))))
}
