package import ArgumentParser
package import Foundation
internal import PassPresentation
package import PassVerification

/// The options for verification.
package struct TrustArguments: ParsableArguments {
    @Option(
        name: .customLong("trust-root"),
        help: ArgumentHelp(
            "Also trust this authority (PEM or DER file); repeatable.",
            valueName: "file"),
        completion: .file(extensions: ["pem", "cer", "crt", "der"]))
    package var roots: [String] = []

    package init() {}

    package func validate() throws {
        if roots.contains("") { throw ValidationError("--trust-root needs the name of a file") }
    }
}

extension TrustArguments {
    /// A verifier that trusts Apple, the trust folder and the certificates given as options.
    package func verifier(at date: Date? = nil, in session: Session) throws -> PassVerifier {
        try session.verifier(believing: authorities(in: session), at: date)
    }

    /// The anchors of Apple, of the trust folder and of the certificates given as options.
    package func anchors(in session: Session) throws -> TrustAnchors {
        try session.keptAnchors().adding(authorities(in: session))
    }

    /// The certificates given as options.
    package func authorities(in session: Session) throws(Failure) -> TrustAnchors {
        var anchors = TrustAnchors.none
        for path in roots {
            let file = try session.contents(of: path)
            do throws(TrustAnchorError) {
                anchors = try anchors.adding(file)
            } catch {
                throw .unreadable(path, reason: error.phrase)
            }
        }
        return anchors.givenOnce
    }
}
