import Foundation

/// The result of building a certificate chain.
enum CertificateChain: Equatable {
    /// The chain leads to this anchor.
    case anchored(TrustAnchor)
    case failed([Finding])
}

/// The trust anchors, in the order in which they are asked for a chain: Apple's, then the user's,
/// first those for all pass types.
///
/// Each kind has a store of its own. Therefore a user's anchor can neither hide one of Apple's with
/// the same name, nor vouch for a pass that Apple vouches for.
struct AnchorStore: Sendable {
    /// Certificates of signatures verified with these anchors.
    let known = KnownCertificates()
    private let stores: [CertificateStore]
    /// Times at which the validity of an anchor changes.
    private let moments: [Int]

    init(_ anchors: TrustAnchors) {
        let own = anchors.all.filter { $0.origin != .apple }
        let groups =
            [anchors.all.filter { $0.origin == .apple }, own.filter { $0.passTypes == nil }]
            + own.filter { $0.passTypes != nil }.map { [$0] }
        // Without anchors, OpenSSL still says where the chain ends.
        let stores = groups.filter { !$0.isEmpty }.map(CertificateStore.init)
        self.stores = stores.isEmpty ? [CertificateStore([])] : stores
        moments = anchors.all.flatMap { [$0.notBefore, $0.notAfter] }.map(wholeSeconds)
    }

    /// Builds the chain from the signer to an anchor that vouches for the pass type, with all
    /// certificates checked at one time.
    func chain(
        from leaf: borrowing Certificate, in signature: borrowing SignedData, at time: Date,
        for passType: String
    ) -> CertificateChain {
        let certificates = signature.certificates
        let asked = stores.indices.filter { stores[$0].vouches(for: passType) }
        return certificates.anchor(of: leaf, at: time, among: moments, in: asked) {
            chain(from: leaf, through: certificates, at: time, for: passType, asked)
        }
    }

    private func chain(
        from leaf: borrowing Certificate, through certificates: EmbeddedCertificates, at time: Date,
        for passType: String, _ asked: [Int]
    ) -> CertificateChain {
        var failures: [[Finding]] = []
        for index in asked {
            switch stores[index].path(from: leaf, through: certificates, at: time) {
            case .anchored(let anchor): return .anchored(anchor)
            case .failed(let findings): failures.append(findings)
            }
        }
        for index in stores.indices where !asked.contains(index) {
            switch stores[index].path(from: leaf, through: certificates, at: time) {
            case .anchored(let anchor):
                return .failed([.anchorNotForPassType(anchor: anchor.name, passType: passType)])
            case .failed(let findings): failures.append(findings)
            }
        }
        // A store that knows the issuer can say more.
        let telling = failures.first { !$0.contains(where: \.isNoPath) }
        return .failed(telling ?? failures.first ?? [.chainInvalid(.noAnchor)])
    }
}

extension Finding {
    fileprivate var isNoPath: Bool {
        if case .noPathToAnchor = self { true } else { false }
    }
}
