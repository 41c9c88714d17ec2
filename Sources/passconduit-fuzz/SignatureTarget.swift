import Cryptography
import PassModel
import PassVerification

/// A signature without a trusted signer never makes a pass trusted, and a trusted one names its
/// signer. OpenSSL accepts the bytes of a trusted signature as they are: the verifier parses the
/// certificates apart.
func fuzzSignature(_ input: Input) {
    let pass = SamplePass.shared.with(input.bytes, as: "signature")
    expect(PassVerifiers.apple.verify(pass).verdict != .trusted, "Apple vouches for a sample")
    guard judge(pass).verdict == .trusted else { return }
    var isAccepted = false
    if let whole = SignedData(input.bytes) {
        isAccepted = whole.verifies(over: SamplePass.shared.files["manifest.json"] ?? [])
    }
    expect(isAccepted, "OpenSSL refuses a signature that is trusted")
}

/// A changed manifest never makes a pass trusted.
func fuzzManifest(_ input: Input) {
    if let repeated = input.repeated {
        judge(SamplePass.shared.with(repeated, as: "manifest.json"))
    }
    let verification = judge(SamplePass.shared.with(input.bytes, as: "manifest.json"))
    expect(
        verification.verdict == .tampered || verification.verdict == .malformed
            || input.bytes == SamplePass.shared.files["manifest.json"],
        "\(verification.verdict) with a manifest that nobody signed")
}

/// A file accepted as an anchor is accepted again when written as PEM.
func fuzzAnchors(_ input: Input) {
    guard let anchors = try? TrustAnchors(certificates: [input.bytes]) else { return }
    expect(!anchors.all.isEmpty, "a file adds no anchor and no error")
    for anchor in anchors.all {
        expect(anchor.fingerprint.utf8.count == 64, "the fingerprint is \(anchor.fingerprint)")
    }
    expect(
        try? TrustAnchors(certificates: [input.bytes]), isEqualTo: anchors)
    _ = PassVerifier(anchors: anchors).verify(SamplePass.shared.bytes)
}

@discardableResult
private func judge(_ pass: [UInt8]) -> Verification {
    let verification = PassVerifiers.samples.verify(pass)
    expectStreamSafe(verification.reasons.map { "\($0)" })
    expect(verification.size == pass.count, "the size is \(verification.size)")
    expect((verification.verified == nil) == isRefused(verification.verdict), "kept all the same")
    guard verification.verdict == .trusted else {
        expect(!verification.reasons.isEmpty, "\(verification.verdict) without a reason")
        return verification
    }
    expect(
        verification.reasons.isEmpty && verification.signer?.anchor != nil
            && verification.signer?.passTypeIdentifier == verification.pass?.passTypeIdentifier
            && verification.signer?.teamIdentifier == verification.pass?.teamIdentifier,
        "trusted, signed by \(String(describing: verification.signer))")
    return verification
}

private func isRefused(_ verdict: Verdict) -> Bool {
    verdict == .malformed || verdict == .tampered
}

private enum PassVerifiers {
    static let apple = PassVerifier()
    static let samples = PassVerifier(anchors: SamplePass.anchors)
}

private func expect(_ anchors: TrustAnchors?, isEqualTo other: TrustAnchors) {
    expect(anchors == other, "read twice it gives other anchors")
}
