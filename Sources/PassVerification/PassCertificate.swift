import Bytes
import Cryptography
import PassModel

/// The rules for pass certificates: the right purpose, pass type and team. All comparisons are
/// bytewise, so that look-alike identifiers differ.
package enum PassCertificate {
    /// The extended key usage of pass certificates.
    package static let purpose = "1.2.840.113635.100.4.14"
    /// The extension that contains the pass type.
    package static let passType = "1.2.840.113635.100.6.1.16"

    static func judgePurpose(_ certificate: borrowing Certificate) -> [Finding] {
        var findings: [Finding] = []
        if !certificate.extendedKeyUsage.contains(purpose) {
            findings.append(.wrongPurpose)
        }
        // VIOLATIONS.md, C10: RSA with 1,024 bits.
        if certificate.keyStrength < 80 { findings.append(.weakKey(bits: certificate.keyStrength)) }
        if let key = certificate.unusualKey { findings.append(.unusualKey(key)) }
        return findings
    }

    /// What only Wallet refuses.
    static func notes(on certificate: borrowing Certificate) -> [Finding] {
        var notes: [Finding] = []
        // A key that is too weak for us as well is a reason, not a note.
        if let bits = certificate.rsaKeySize, bits < 2048, certificate.keyStrength >= 80 {
            notes.append(.shortKey(bits: bits))
        }
        if !certificate.maySign { notes.append(.keyUsageWithoutSignature) }
        return notes
    }

    static func judgePassType(_ certificate: borrowing Certificate, of pass: Pass) -> [Finding] {
        var findings: [Finding] = []
        let wanted = Array(pass.passTypeIdentifier.utf8)
        let extensions = certificate.extensions(passType)
        if extensions.isEmpty {
            findings.append(.passTypeExtensionMissing)
        } else if extensions.count > 1 || utf8String(extensions[0]) != wanted {
            let named = utf8String(extensions[0]).map { String(streamSafe: $0) }
            findings.append(
                .passTypeNotInExtension(passType: pass.passTypeIdentifier, named: named))
        }
        if certificate.subjectBytes(.userID) != [wanted] {
            findings.append(
                .passTypeNotInSubject(
                    passType: pass.passTypeIdentifier, named: certificate.subject(.userID)))
        }
        return findings
    }

    static func judgeTeam(_ certificate: borrowing Certificate, of pass: Pass) -> [Finding] {
        let wanted = Array(pass.teamIdentifier.utf8)
        guard !wanted.isEmpty, certificate.subjectBytes(.organizationalUnit) == [wanted]
        else {
            let named = certificate.subject(.organizationalUnit)
            return [.teamNotInSubject(team: pass.teamIdentifier, named: named)]
        }
        return []
    }

    /// The contents of a DER UTF8String that spans all bytes; X.690, 8.1.3 and 10.1.
    static func utf8String(_ der: [UInt8]) -> [UInt8]? {
        guard der.count >= 2, der[0] == 0x0c else { return nil }
        let (start, count) = der[1] == 0x81 && der.count > 2 ? (3, Int(der[2])) : (2, Int(der[1]))
        guard der.count == start + count, start == 2 ? count < 0x80 : count >= 0x80 else {
            return nil
        }
        return Array(der[start...])
    }
}
