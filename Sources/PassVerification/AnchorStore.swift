import Cryptography
import Foundation

/// The result of building a chain to a trust anchor.
enum AnchoredChain: Equatable {
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
    private let groups: [Group]
    /// Times at which the validity of an anchor changes.
    private let moments: [Int]

    /// Anchors that vouch for the same pass types.
    private struct Group {
        let anchors: [TrustAnchor]
        let store: CertificateStore

        init(_ anchors: [TrustAnchor]) {
            self.anchors = anchors
            store = CertificateStore(anchors.map(\.material))
        }

        func path(
            from leaf: borrowing Certificate, through certificates: EmbeddedCertificates,
            at time: Date
        ) -> CertificateChain {
            store.path(
                from: leaf, through: certificates, at: time, for: PassCertificate.purpose)
        }

        func vouches(for passType: String) -> Bool {
            anchors.allSatisfy { $0.vouches(for: passType) }
        }
    }

    init(_ anchors: TrustAnchors) {
        let own = anchors.all.filter { $0.origin != .apple }
        let groups =
            [anchors.all.filter { $0.origin == .apple }, own.filter { $0.passTypes == nil }]
            + own.filter { $0.passTypes != nil }.map { [$0] }
        // Without anchors, OpenSSL still says where the chain ends.
        let filled = groups.filter { !$0.isEmpty }.map(Group.init)
        self.groups = filled.isEmpty ? [Group([])] : filled
        moments = anchors.all.flatMap { validityMoments($0.notBefore, $0.notAfter) }
    }

    /// Builds the chain from the signer to an anchor that vouches for the pass type, with all
    /// certificates checked at one time.
    func chain(
        from leaf: borrowing Certificate, in signature: borrowing SignedData, at time: Date,
        for passType: String
    ) -> AnchoredChain {
        let certificates = signature.certificates
        let asked = groups.indices.filter { groups[$0].vouches(for: passType) }
        var failures: [[ChainFailure]] = []
        let position = certificates.anchor(of: leaf, at: time, among: moments, in: asked) {
            for index in asked {
                switch groups[index].path(from: leaf, through: certificates, at: time) {
                case .anchored(let anchor): return AnchorPosition(store: index, anchor: anchor)
                case .failed(let reasons): failures.append(reasons)
                }
            }
            return nil
        }
        if let position { return .anchored(groups[position.store].anchors[position.anchor]) }
        for index in groups.indices where !asked.contains(index) {
            switch groups[index].path(from: leaf, through: certificates, at: time) {
            case .anchored(let anchor):
                let name = groups[index].anchors[anchor].name
                return .failed([.anchorNotForPassType(anchor: name, passType: passType)])
            case .failed(let reasons): failures.append(reasons)
            }
        }
        // A store that knows the issuer can say more.
        let telling = failures.first { !$0.contains(where: \.isNoPath) }
        return .failed((telling ?? failures.first ?? [.noAnchor]).map(Finding.init))
    }
}

extension ChainFailure {
    fileprivate var isNoPath: Bool {
        if case .noPath = self { true } else { false }
    }
}

extension Finding {
    fileprivate init(_ failure: ChainFailure) {
        self =
            switch failure {
            case .outOfMemory: .chainInvalid(.outOfMemory)
            case .noAnchor: .chainInvalid(.noAnchor)
            case .notValid(let name, let from, let to, let time):
                .certificateNotValid(name: name, from: from, to: to, at: time)
            case .noPath(let certificate, let issuer):
                .noPathToAnchor(certificate: certificate, issuer: issuer)
            case .weakDigest(let certificate): .chainWeakDigest(certificate: certificate)
            case .unusualKey(let certificate, let key):
                .chainUnusualKey(certificate: certificate, key: key)
            case .openSSL(let reason, let certificate):
                .chainInvalid(.openSSL(reason: reason, certificate: certificate))
            }
    }
}
