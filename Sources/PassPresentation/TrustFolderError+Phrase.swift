public import PassVerification

extension TrustAnchorError: Worded {
    /// Why the file contains no usable trust anchor.
    public var phrase: Phrase {
        switch self {
        case .notACertificate: Phrase("not a certificate in PEM or DER")
        case .noCertificate: Phrase("there is no certificate in it")
        case .notPatterns:
            Phrase("not a list of pass types: the certificate beside it is not trusted")
        case .noCertificateForPatterns:
            Phrase("there is no certificate beside this list of pass types")
        }
    }
}

extension TrustFolder.Unusable {
    /// Why the file is not used.
    package var phrase: Phrase { fault?.phrase ?? error.phrase }
}

extension PassTypePatternError: Worded {
    /// Why the text is not a pattern of pass types.
    public var phrase: Phrase {
        switch self {
        case .wildcardNotLast: Phrase("* may only stand at the end")
        case .everyType:
            Phrase("this matches every pass type: omit --for to trust the authority for all")
        case .noPassType:
            Phrase(
                "not a pass type such as pass.com.example.ticket, nor the beginning of one such as pass.com.example.*"
            )
        }
    }
}

extension TrustFolderError: Worded {
    /// Why the folder cannot be read or changed.
    public var phrase: Phrase {
        switch self {
        case .folder(let fault): fault.error.phrase
        case .certificate(let error): error.phrase
        case .unknown(let word):
            Phrase("there is no certificate named '{name}'", ["name": .text(word)])
        case .ambiguous(let word, let files):
            Phrase(
                "'{name}' matches more than one certificate: {text}",
                ["name": .text(word), "text": .text(files.joined(separator: ", "))])
        case .shared(let file):
            Phrase(
                "{name} contains other certificates, too: remove the whole file by its name",
                ["name": .text(file)])
        }
    }
}
