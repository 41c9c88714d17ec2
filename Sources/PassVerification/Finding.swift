package import Archives
public import Foundation
public import PassModel

/// Something that the verifier found: what speaks against a pass, or what is odd but tolerated.
///
/// It is data: ``code`` is stable, and the module PassPresentation has a sentence for each case.
///
/// ```swift
/// for case .fileDiffers(let path) in verification.reasons { print(path) }
/// ```
///
/// Texts in it are those of the pass or its certificates, unescaped. Libraries store findings as JSON: the
/// names of the cases and of their arguments are part of the format.
public enum Finding: Sendable, Hashable, Codable {
    // MARK: Malformed

    /// The pass file cannot be read, or its ZIP archive is refused.
    case archive(ArchiveFault)
    /// There is no pass.json.
    case passMissing
    /// pass.json cannot be read as a pass.
    case pass(PassError)
    /// There is a signature, but no manifest.json.
    case manifestMissing
    /// manifest.json cannot be read.
    case manifest(ManifestError)
    /// The signature is not a CMS SignedData in DER or BER.
    case signatureUnreadable
    /// The signature has more of something than ``VerificationLimits`` allow.
    case signatureOverLimit(SignaturePart, limit: Int)

    // MARK: Unsigned

    /// There is no signature.
    case unsigned

    // MARK: Tampered

    /// A file differs from its hash in the manifest.
    case fileDiffers(path: String)
    /// A file is in the manifest, but not in the pass.
    case fileMissing(path: String)
    /// A file is in the pass and not in the manifest.
    case fileNotListed(path: String)
    /// There are so many more files with this fault than are told one by one.
    case moreFiles(FileFault, count: Int)
    /// The signature does not verify over manifest.json.
    case signatureMismatch
    /// The signature verifies only if the line ends of manifest.json are changed to CRLF.
    case signatureCanonicalised
    /// The signature has no signer.
    case signatureWithoutSigner
    /// The signature does not contain the certificate of its signer.
    case signerCertificateMissing
    /// The signature carries content of its own that is not manifest.json.
    case attachedContentDiffers

    // MARK: Untrusted

    /// There is more than one signer.
    case severalSigners
    /// The signature was made for something else than plain data, such as a time stamp.
    case signatureOfSomethingElse
    /// The signature is made over a digest that can be forged.
    case weakDigest(String)
    /// The signature does not say when it was made.
    case signingTimeMissing
    /// The signature says more than once when it was made.
    case signingTimeRepeated
    /// The time of signing is not a time.
    case signingTimeUnreadable
    /// The time of signing is more than a day ahead.
    case signingTimeInFuture(Date)
    /// A certificate is not valid at the time for which it is judged.
    case certificateNotValid(name: String, from: Date, to: Date, at: Date)
    /// A certificate leads to no trust anchor.
    case noPathToAnchor(certificate: String, issuer: String)
    /// The certificate chain is not valid.
    case chainInvalid(ChainFault)
    /// A certificate of the chain is signed over a digest that can be forged.
    case chainWeakDigest(certificate: String)
    /// The certificate of the signer is not one for passes.
    case wrongPurpose
    /// The key of the certificate has a strength of only so many bits.
    case weakKey(bits: Int)
    /// The certificate lacks the extension that names the pass type.
    case passTypeExtensionMissing
    /// The extension of the certificate names another pass type than the pass, or holds no text: nil.
    case passTypeNotInExtension(passType: String, named: String?)
    /// The subject of the certificate names other pass types than the pass.
    case passTypeNotInSubject(passType: String, named: [String])
    /// The subject of the certificate names other teams than the pass.
    case teamNotInSubject(team: String, named: [String])

    // MARK: Notes

    /// So many bytes stand before the archive.
    case leadingBytes(count: Int)
    /// So many bytes stand after the archive.
    case trailingBytes(count: Int)
    /// The whole pass is in a folder.
    case topFolder(name: String)
    /// The name of an image has capitals, with which Wallet does not find it.
    case imageNameCase(name: String)
    /// manifest.json is not plain UTF-8.
    case manifestEncoding(ManifestEncoding)
    /// manifest.json has hashes in upper case.
    case manifestUpperCase
    /// manifest.json lists a file twice, with one hash.
    case manifestDuplicateKey
    /// manifest.json lists itself.
    case manifestListsItself
    /// The signature carries a copy of manifest.json.
    case signatureAttached
    /// The certificate was valid when the pass was signed, and has expired since.
    case certificateExpiredSince(Date)
    /// Certificates are judged for a time that the caller chose.
    case judgedAt(Date)
    /// A file name or a header field around the pass had more than 30 combining marks in a row, which were
    /// broken up.
    case longCombiningRun
    /// Something is odd in pass.json or in the texts of the pass.
    case oddity(Oddity)

    // MARK: From a library

    /// A finding that another version of this package stored: its code, and its English sentence, which is
    /// empty where none was stored.
    case stored(code: String, detail: String)
}

/// Why a pass file cannot be read, or its ZIP archive is refused. ``Finding/code`` tells the kinds apart.
public struct ArchiveFault: Sendable, Hashable, Codable {
    package let error: ZipError

    package init(_ error: ZipError) {
        self.error = error
    }
}

/// What a signature has a limited number of.
public enum SignaturePart: String, Sendable, Hashable, Codable, CaseIterable {
    /// Certificates that the signature brings.
    case certificates
    /// Those who signed.
    case signers
    /// Digests that the signature declares.
    case digests
}

/// How a file does not match the manifest. The raw value is the code of the finding.
public enum FileFault: String, Sendable, Hashable, Codable, CaseIterable {
    /// See ``Finding/fileDiffers(path:)``.
    case differs = "file-differs"
    /// See ``Finding/fileMissing(path:)``.
    case missing = "file-missing"
    /// See ``Finding/fileNotListed(path:)``.
    case notListed = "file-not-listed"
}

/// Why a certificate chain is not valid.
public enum ChainFault: Sendable, Hashable, Codable {
    /// There was no memory to judge it.
    case outOfMemory
    /// It ends without an anchor.
    case noAnchor
    /// In OpenSSL's words; with the name of the certificate, where it is about one.
    case openSSL(reason: String, certificate: String?)
}

/// How manifest.json is encoded where it is not plain UTF-8.
public enum ManifestEncoding: String, Sendable, Hashable, Codable, CaseIterable {
    /// UTF-8 with a byte order mark.
    case byteOrderMark
    /// UTF-16.
    case utf16
}

extension Finding {
    /// In kebab case: `signature-mismatch`. It never changes its meaning.
    public var code: String {
        switch self {
        case .archive(let fault): fault.code
        case .passMissing: "pass-json-missing"
        case .pass(.missingIdentity): "pass-identity-missing"
        case .pass(.longCombiningRun): "pass-identity-unsafe"
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
        case .chainInvalid: "chain-invalid"
        case .chainWeakDigest: "chain-weak-digest"
        case .wrongPurpose: "wrong-certificate-purpose"
        case .weakKey: "weak-key"
        case .passTypeExtensionMissing: "pass-type-extension-missing"
        case .passTypeNotInExtension, .passTypeNotInSubject: "pass-type-mismatch"
        case .teamNotInSubject: "team-mismatch"
        case .leadingBytes: "leading-bytes"
        case .trailingBytes: "trailing-bytes"
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
    }
}
