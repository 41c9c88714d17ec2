internal import PassSession
internal import PassVerification
internal import Synchronization

/// The authorities that the user trusts now: a window may stay open while another program changes the
/// trust folder.
final class CurrentTrust: Sendable {
    private let session: Session
    /// Those of the options.
    private let others: TrustAnchors
    private let last: Mutex<PassVerifier>

    /// Reports unusable files in the trust folder.
    init(_ arguments: TrustArguments, in session: Session) throws {
        self.session = session
        others = try arguments.authorities(in: session)
        last = Mutex(try session.verifier(believing: others))
    }

    /// A verifier with the anchors of this moment; the previous one while the trust folder cannot be
    /// read.
    var verifier: PassVerifier {
        let kept = try? session.trustFolder.anchors()
        return last.withLock { last in
            if let anchors = kept?.adding(others), anchors != last.anchors {
                last = PassVerifier(anchors: anchors)
            }
            return last
        }
    }
}
