import CCrypto
import Foundation
import Synchronization

/// The certificates that came with a signature, to lead from the signer to an anchor, and where they
/// were found to lead.
///
/// `@unchecked Sendable`: the stack is filled before anybody else can see it, and OpenSSL guards what
/// it works out about a certificate with a lock of the certificate's own.
@safe final class EmbeddedCertificates: @unchecked Sendable {
    let stack: OpaquePointer?
    /// Of the subjects and the issuers.
    let names: Set<UInt>
    private let moments: [Int]
    private let anchors = Mutex<[Step: String]>([:])

    /// A signer, and a time between two moments at which the validity of a certificate changes.
    private struct Step: Hashable {
        /// Where it lies in memory.
        let signer: Int
        let momentsPassed: Int
    }

    /// Takes over the stack.
    init(_ stack: OpaquePointer?) {
        unsafe self.stack = unsafe stack
        var (moments, names): ([Int], Set<UInt>) = ([], [])
        for index in 0..<max(0, unsafe OPENSSL_sk_num(stack)) {
            guard let raw = unsafe OPENSSL_sk_value(stack, index) else { continue }
            let certificate = unsafe Certificate(sharing: OpaquePointer(raw))
            moments += [certificate.notBefore, certificate.notAfter].map(wholeSeconds)
            names.formUnion([certificate.subjectHash, certificate.issuerHash])
        }
        (self.moments, self.names) = (moments, names)
    }

    /// Nil when one of these is no certificate in DER.
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

    /// The anchor that a signer leads to, worked out when it is asked for the first time.
    ///
    /// Of all that a path depends on only the time differs from one signature with these certificates to
    /// the next, and that is only compared with the first and the last moments of certificates. Between
    /// two of these the answer cannot change. What fails is worked out each time: it names the time.
    func anchor(
        of signer: borrowing Certificate, at time: Date, among others: [Int],
        _ path: () -> CertificateChain
    ) -> CertificateChain {
        let second = wholeSeconds(time)
        let step = Step(
            signer: Int(bitPattern: unsafe signer.handle),
            momentsPassed: (moments + others).count { $0 <= second })
        if let anchor = anchors.withLock({ $0[step] }) { return .anchored(anchor) }
        let chain = path()
        if case .anchored(let anchor) = chain { anchors.withLock { $0[step] = anchor } }
        return chain
    }
}

/// Those of signatures that were seen lately. Most passes of one issuer bring the same, and OpenSSL
/// takes longer to read a certificate than to verify a signature.
final class KnownCertificates: Sendable {
    private let known = Mutex<[[UInt8]: EmbeddedCertificates]>([:])
    /// What is kept: a real signature brings two or three certificates, 4 KB.
    private static let limits = (signatures: 32, bytes: 8 << 10)

    /// These certificates, byte for byte; nil when one of them is none.
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

/// As OpenSSL compares times.
func wholeSeconds(_ time: Date) -> Int {
    Int(max(-1e11, min(1e11, time.timeIntervalSince1970.rounded(.down))))
}
