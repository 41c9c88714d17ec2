import Archives
import Foundation
import PassModel

/// All findings against a pass, with their codes and texts. Where Apple has an error message, it is
/// used, because people search for it.
extension Finding {
    // MARK: malformed

    static func archive(_ error: ZipError) -> Finding {
        let code =
            switch error {
            case .notAnArchive: "not-an-archive"
            case .archiveTooLarge: "archive-too-large"
            case .tooManyEntries: "archive-too-many-entries"
            case .directoryTooLarge, .damagedDirectory: "archive-damaged"
            case .damagedEntry: "archive-entry-damaged"
            case .entryTooLarge: "archive-entry-too-large"
            case .totalTooLarge: "archive-total-too-large"
            case .ratioTooHigh: "archive-ratio-too-high"
            case .encrypted: "archive-encrypted"
            case .unsupportedCompression: "archive-unsupported-compression"
            case .duplicateName: "archive-duplicate-name"
            case .unsafeName: "archive-unsafe-name"
            case .symbolicLink: "archive-symbolic-link"
            case .overlap: "archive-overlap"
            case .otherName: "archive-name-differs"
            case .file: "unreadable"
            }
        return Finding(code: code, detail: error.description)
    }

    static func unreadable(_ reason: String) -> Finding {
        Finding(code: "unreadable", detail: reason)
    }

    static let passMissing = Finding(code: "pass-json-missing", detail: "there is no pass.json")

    static func pass(_ error: PassError) -> Finding {
        let code =
            switch error {
            case .missingIdentity: "pass-identity-missing"
            case .longCombiningRun: "pass-identity-unsafe"
            default: "pass-json-unreadable"
            }
        return Finding(code: code, detail: error.description)
    }

    static let manifestMissing = Finding(
        code: "manifest-missing", detail: "there is a signature, but no manifest.json")

    static func manifest(_ error: ManifestError) -> Finding {
        let code =
            if case .contradiction = error { "manifest-contradiction" } else {
                "manifest-unreadable"
            }
        return Finding(code: code, detail: "manifest.json cannot be read: \(error)")
    }

    static let signatureUnreadable = Finding(
        code: "signature-unreadable", detail: "the signature is not a CMS SignedData in DER or BER")

    static func signatureOverLimit(_ what: String, _ limit: Int) -> Finding {
        Finding(
            code: "signature-over-limit", detail: "the signature has more than \(limit) \(what)")
    }

    // MARK: unsigned

    static let unsigned = Finding(code: "no-signature", detail: "there is no signature")

    // MARK: tampered

    static func fileDiffers(_ name: String) -> Finding {
        Finding(
            code: "file-differs", detail: "\(name) differs from its hash in the manifest")
    }

    static func fileMissing(_ name: String) -> Finding {
        Finding(code: "file-missing", detail: "\(name) is in the manifest and not in the pass")
    }

    static func fileNotListed(_ name: String) -> Finding {
        Finding(code: "file-not-listed", detail: "No entry in manifest for file \(name)")
    }

    static func more(_ code: String, _ count: Int) -> Finding {
        Finding(code: code, detail: "and \(count) more")
    }

    static let signatureMismatch = Finding(
        code: "signature-mismatch", detail: "Manifest signature did not verify successfully")

    static let signatureCanonicalised = Finding(
        code: "signature-line-ends",
        detail: "Manifest signature did not verify successfully: it verifies only if the line ends "
            + "of manifest.json are changed to CRLF, so it was made without -binary")

    static let signatureWithoutSigner = Finding(
        code: "signature-no-signer",
        detail: "Manifest signature did not verify successfully: nobody signed it")

    static let signerCertificateMissing = Finding(
        code: "signature-no-certificate",
        detail: "Manifest signature did not verify successfully: the certificate of the signer is "
            + "not in it")

    static let attachedContentDiffers = Finding(
        code: "signature-other-content",
        detail: "the signature carries content of its own that is not manifest.json")

    // MARK: untrusted

    static let severalSigners = Finding(
        code: "several-signers", detail: "there is more than one signer")

    static let signatureOfSomethingElse = Finding(
        code: "unexpected-content-type",
        detail: "the signature was made for something else than plain data")

    static func weakDigest(_ name: String) -> Finding {
        Finding(code: "weak-digest", detail: "the signature is made over the digest \(name)")
    }

    static let signingTimeMissing = Finding(
        code: "no-signing-time", detail: "Signature must contain a signing date")

    static let signingTimeRepeated = Finding(
        code: "signing-time-repeated", detail: "the signature contains more than one signing date")

    static let signingTimeUnreadable = Finding(
        code: "signing-time-unreadable", detail: "the signing date of the signature is not a date")

    static func signingTimeInFuture(_ time: Date) -> Finding {
        Finding(
            code: "signing-time-in-future",
            detail: "the signing date is in the future: \(day(time))")
    }

    static func certificateNotValid(
        _ name: String, _ period: ClosedRange<Date>, at time: Date
    ) -> Finding {
        Finding(
            code: "certificate-not-valid",
            detail: "the certificate '\(name)' is valid from \(day(period.lowerBound)) to "
                + "\(day(period.upperBound)), and not on \(day(time))")
    }

    static func noPathToAnchor(_ name: String, issuer: String) -> Finding {
        Finding(
            code: "no-path-to-anchor",
            detail:
                "the certificate '\(name)' leads to no trust anchor; it was issued by '\(issuer)'"
        )
    }

    static func chainInvalid(_ reason: String) -> Finding {
        Finding(code: "chain-invalid", detail: "the certificate chain is not valid: \(reason)")
    }

    static func chainWeakDigest(_ name: String) -> Finding {
        Finding(
            code: "chain-weak-digest",
            detail: "the certificate '\(name)' is signed over a digest that can be forged")
    }

    static let wrongPurpose = Finding(
        code: "wrong-certificate-purpose",
        detail: "the certificate is not one for passes: its extended key usage lacks "
            + PassCertificate.purpose)

    static func weakKey(_ bits: Int) -> Finding {
        Finding(
            code: "weak-key",
            detail: "the key of the certificate has a strength of only \(bits) bits")
    }

    static let passTypeExtensionMissing = Finding(
        code: "pass-type-extension-missing",
        detail: "the certificate lacks the extension \(PassCertificate.passType), which names the "
            + "pass type")

    static func passTypeMismatch(_ pass: String, _ place: String, _ named: String) -> Finding {
        Finding(
            code: "pass-type-mismatch",
            detail: "the pass type identifier is '\(pass)', and the certificate names \(named) in "
                + place)
    }

    static func teamMismatch(_ pass: String, _ named: String) -> Finding {
        Finding(
            code: "team-mismatch",
            detail: "the team identifier is '\(pass)', and the certificate names \(named)")
    }

    /// The date in ISO 8601, in UTC.
    static func day(_ time: Date) -> String {
        time.formatted(.iso8601.year().month().day())
    }
}
