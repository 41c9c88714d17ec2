import Cryptography

extension SignatureCounts {
    /// The limits that the signature exceeds, checked before OpenSSL parses it.
    func excess(_ limits: VerificationLimits) -> [Finding] {
        let counts: [(part: SignaturePart, count: Int, limit: Int)] = [
            (.certificates, certificates, limits.certificates),
            (.signers, signers, limits.signers), (.digests, digests, limits.signers),
        ]
        return counts.filter { $0.count > $0.limit }
            .map { .signatureOverLimit($0.part, limit: $0.limit) }
    }
}

extension SignedData {
    /// Findings against the integrity of the signature over the manifest.
    func integrity(over manifest: [UInt8]) -> [Finding] {
        guard signerCount > 0 else { return [.signatureWithoutSigner] }
        // VIOLATIONS.md, P40: attached content.
        if let content = attachedContent, content != manifest { return [.attachedContentDiffers] }
        if verifies(over: manifest) { return [] }
        if !hasSignerCertificate { return [.signerCertificateMissing] }
        return verifies(over: withCarriageReturns(manifest))
            ? [.signatureCanonicalised] : [.signatureMismatch]
    }

    /// Findings against the trustworthiness of an intact signature.
    var doubts: [Finding] {
        var findings: [Finding] = []
        if signerCount > 1 { findings.append(.severalSigners) }
        if !isOverData { findings.append(.signatureOfSomethingElse) }
        let digest = digest
        if !digest.isSound { findings.append(.weakDigest(digest.name)) }
        return findings
    }

    private var hasSignerCertificate: Bool {
        switch signer {
        case .some: true
        case nil: false
        }
    }
}

/// The text with CRLF line ends (RFC 8551, 3.1.1), which `openssl smime -sign` signs without
/// `-binary`.
private func withCarriageReturns(_ text: [UInt8]) -> [UInt8] {
    var canonical: [UInt8] = []
    canonical.reserveCapacity(text.count + text.count / 16)
    for byte in text {
        if byte == 0x0a, canonical.last != 0x0d { canonical.append(0x0d) }
        canonical.append(byte)
    }
    return canonical
}
