package import Archives
public import Foundation
public import PassModel

/// A finding of the verifier: a reason against a pass, or a tolerated irregularity.
///
/// Findings are data: ``code`` is stable, and the module PassPresentation has a sentence for each
/// case.
///
/// ```swift
/// for case .fileDiffers(let path) in verification.reasons { print(path) }
/// ```
///
/// Texts are those of the pass or its certificates, unescaped. Libraries store findings as JSON, so
/// the names of the cases and of their arguments are part of the format.
public enum Finding: Sendable, Hashable, Codable {
    // MARK: Malformed

    /// The pass file cannot be read, or its ZIP archive was rejected.
    case archive(ArchiveFault)
    /// The pass has no pass.json.
    case passMissing
    /// pass.json cannot be read as a pass.
    case pass(PassError)
    /// The pass has a signature, but no manifest.json.
    case manifestMissing
    /// manifest.json cannot be read.
    case manifest(ManifestError)
    /// The signature is not a CMS SignedData in DER or BER.
    case signatureUnreadable
    /// The signature exceeds a limit of ``VerificationLimits``.
    case signatureOverLimit(SignaturePart, limit: Int)

    // MARK: Unsigned

    /// The pass has no signature.
    case unsigned

    // MARK: Tampered

    /// A file differs from its hash in the manifest.
    case fileDiffers(path: String)
    /// A file is in the manifest but not in the pass.
    case fileMissing(path: String)
    /// A file is in the pass but not in the manifest.
    case fileNotListed(path: String)
    /// The number of further files with this fault, which are not listed individually.
    case moreFiles(FileFault, count: Int)
    /// The signature does not verify over manifest.json.
    case signatureMismatch
    /// The signature verifies only over manifest.json with its line ends changed to CRLF.
    case signatureCanonicalised
    /// The signature has no signer.
    case signatureWithoutSigner
    /// The signature does not contain the certificate of its signer.
    case signerCertificateMissing
    /// The signature contains its own content, which differs from manifest.json.
    case attachedContentDiffers

    // MARK: Untrusted

    /// The signature has more than one signer.
    case severalSigners
    /// The signed content type is not plain data but, for example, a time stamp.
    case signatureOfSomethingElse
    /// The digest algorithm of the signature is weak; its collisions allow forgery.
    case weakDigest(String)
    /// The signature has no signing time.
    case signingTimeMissing
    /// The signature has more than one signing time.
    case signingTimeRepeated
    /// The signing time is not a valid time.
    case signingTimeUnreadable
    /// The signing time is more than a day in the future.
    case signingTimeInFuture(Date)
    /// A certificate is not valid at the time of validation, `at`.
    case certificateNotValid(name: String, from: Date, to: Date, at: Date)
    /// A certificate does not chain to a trust anchor.
    case noPathToAnchor(certificate: String, issuer: String)
    /// A certificate chains only to trust anchors that vouch for other pass types than that of the
    /// pass. `anchor` is the name of one of them.
    case anchorNotForPassType(anchor: String, passType: String)
    /// The certificate chain is not valid.
    case chainInvalid(ChainFault)
    /// A certificate of the chain is signed with a weak digest algorithm.
    case chainWeakDigest(certificate: String)
    /// The key of a certificate of the chain is neither RSA, with an exponent of 3 or more, nor on a
    /// curve of NIST.
    case chainUnusualKey(certificate: String, key: String)
    /// The signer's certificate is not a pass certificate.
    case wrongPurpose
    /// The security strength of the certificate's key is too low.
    case weakKey(bits: Int)
    /// The certificate's key is neither RSA, with an exponent of 3 or more, nor on a curve of NIST.
    case unusualKey(String)
    /// The certificate lacks the extension with the pass type.
    case passTypeExtensionMissing
    /// The certificate's extension contains another pass type than the pass, or no text (nil).
    case passTypeNotInExtension(passType: String, named: String?)
    /// The certificate's subject contains other pass types than that of the pass.
    case passTypeNotInSubject(passType: String, named: [String])
    /// The certificate's subject contains other teams than that of the pass.
    case teamNotInSubject(team: String, named: [String])

    // MARK: Notes

    /// There are bytes before the archive.
    case leadingBytes(count: Int)
    /// There are bytes after the archive.
    case trailingBytes(count: Int)
    /// The local header of a file differs from the archive's directory in its size, checksum,
    /// compression method or flags.
    case localHeaderDiffers(path: String)
    /// The archive contains a file that its directory does not list.
    case hiddenFile(path: String)
    /// The whole pass is in a folder.
    case topFolder(name: String)
    /// The name of an image contains capital letters, so that Wallet does not find it.
    case imageNameCase(name: String)
    /// manifest.json is not plain UTF-8.
    case manifestEncoding(ManifestEncoding)
    /// manifest.json contains hashes in upper case.
    case manifestUpperCase
    /// manifest.json lists a file twice, with the same hash.
    case manifestDuplicateKey
    /// manifest.json lists itself.
    case manifestListsItself
    /// The signature contains a copy of manifest.json.
    case signatureAttached
    /// The signer's RSA key is shorter than 2,048 bits.
    case shortKey(bits: Int)
    /// The key usage of the signer's certificate lacks digitalSignature (RFC 5280, 4.2.1.3).
    case keyUsageWithoutSignature
    /// The certificate was valid when the pass was signed, but has expired since.
    case certificateExpiredSince(Date)
    /// Certificates were validated at a time chosen by the caller.
    case judgedAt(Date)
    /// A file name or header field around the pass had more than 30 combining marks in a row, which
    /// were broken up.
    case longCombiningRun
    /// An irregularity in pass.json or in the texts of the pass.
    case oddity(Oddity)

    // MARK: From a library

    /// A finding stored by another version of this package: its code, and its English sentence,
    /// which is empty if none was stored.
    case stored(code: String, detail: String)
}

/// Why a pass file cannot be read, or its ZIP archive was rejected. ``Finding/code`` gives the kind
/// of fault. The payload of ``Finding/archive(_:)``.
public struct ArchiveFault: Sendable, Hashable, Codable {
    package let error: ZipError

    package init(_ error: ZipError) {
        self.error = error
    }
}

/// A part of a signature whose number is limited. The payload of
/// ``Finding/signatureOverLimit(_:limit:)``.
public enum SignaturePart: String, Sendable, Hashable, Codable, CaseIterable {
    /// Certificates in the signature.
    case certificates
    /// Signers.
    case signers
    /// Digest algorithms declared by the signature.
    case digests
}

/// The way in which a file does not match the manifest. The raw value is the code of the finding.
/// The payload of ``Finding/moreFiles(_:count:)``.
public enum FileFault: String, Sendable, Hashable, Codable, CaseIterable {
    /// See ``Finding/fileDiffers(path:)``.
    case differs = "file-differs"
    /// See ``Finding/fileMissing(path:)``.
    case missing = "file-missing"
    /// See ``Finding/fileNotListed(path:)``.
    case notListed = "file-not-listed"
}

/// Why a certificate chain is invalid. The payload of ``Finding/chainInvalid(_:)``.
public enum ChainFault: Sendable, Hashable, Codable {
    /// There was not enough memory to validate it.
    case outOfMemory
    /// The chain ends without an anchor.
    case noAnchor
    /// OpenSSL's reason, with the name of the certificate if it concerns one.
    case openSSL(reason: String, certificate: String?)
}

/// The encoding of a manifest.json that is not plain UTF-8. The payload of
/// ``Finding/manifestEncoding(_:)``.
public enum ManifestEncoding: String, Sendable, Hashable, Codable, CaseIterable {
    /// UTF-8 with a byte order mark.
    case byteOrderMark
    /// UTF-16.
    case utf16
}

extension Finding {
    /// The identifier in kebab case: `signature-mismatch`. Its meaning never changes.
    public var code: String {
        switch self {
        case .archive(let fault): fault.code
        case .passMissing: "pass-json-missing"
        case .pass(.missingIdentity): "pass-identity-missing"
        case .pass(.longCombiningRun), .pass(.notUnicode): "pass-identity-unsafe"
        case .pass: "pass-json-unreadable"
        case .manifestMissing: "manifest-missing"
        case .manifest(.contradiction): "manifest-contradiction"
        case .manifest: "manifest-unreadable"
        case .signatureUnreadable: "signature-unreadable"
        case .signatureOverLimit: "signature-over-limit"
        case .unsigned: "no-signature"
        case .fileDiffers: FileFault.differs.rawValue
        case .fileMissing: FileFault.missing.rawValue
        case .fileNotListed: FileFault.notListed.rawValue
        case .moreFiles(let fault, _): fault.rawValue
        case .signatureMismatch: "signature-mismatch"
        case .signatureCanonicalised: "signature-line-ends"
        case .signatureWithoutSigner: "signature-no-signer"
        case .signerCertificateMissing: "signature-no-certificate"
        case .attachedContentDiffers: "signature-other-content"
        case .severalSigners: "several-signers"
        case .signatureOfSomethingElse: "unexpected-content-type"
        case .weakDigest: "weak-digest"
        case .signingTimeMissing: "no-signing-time"
        case .signingTimeRepeated: "signing-time-repeated"
        case .signingTimeUnreadable: "signing-time-unreadable"
        case .signingTimeInFuture: "signing-time-in-future"
        case .certificateNotValid: "certificate-not-valid"
        case .noPathToAnchor: "no-path-to-anchor"
        case .anchorNotForPassType: "anchor-not-for-pass-type"
        case .chainInvalid: "chain-invalid"
        case .chainWeakDigest: "chain-weak-digest"
        case .wrongPurpose: "wrong-certificate-purpose"
        case .keyUsageWithoutSignature: "key-usage-without-signature"
        case .weakKey, .shortKey: "weak-key"
        case .unusualKey, .chainUnusualKey: "unusual-key"
        case .passTypeExtensionMissing: "pass-type-extension-missing"
        case .passTypeNotInExtension, .passTypeNotInSubject: "pass-type-mismatch"
        case .teamNotInSubject: "team-mismatch"
        case .leadingBytes: "leading-bytes"
        case .trailingBytes: "trailing-bytes"
        case .localHeaderDiffers: "local-header-differs"
        case .hiddenFile: "hidden-file"
        case .topFolder: "top-folder"
        case .imageNameCase: "image-name-case"
        case .manifestEncoding: "manifest-encoding"
        case .manifestUpperCase: "manifest-upper-case"
        case .manifestDuplicateKey: "manifest-duplicate-key"
        case .manifestListsItself: "manifest-lists-itself"
        case .signatureAttached: "signature-attached"
        case .certificateExpiredSince: "certificate-expired-since"
        case .judgedAt: "judged-at"
        case .longCombiningRun: "long-combining-run"
        case .oddity(let oddity): oddity.code
        case .stored(let code, _): code
        }
    }
}

extension ArchiveFault {
    fileprivate var code: String {
        switch error {
        case .notAnArchive: "not-an-archive"
        case .cutOff: "archive-cut-off"
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
        case .hiddenEntry: "archive-hidden-entry"
        case .file: "unreadable"
        }
    }
}
