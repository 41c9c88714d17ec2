public import PassVerification

extension TrustAnchorError: Worded {
    /// Why the file contains no usable trust anchor.
    public var phrase: Phrase {
        switch self {
        case .notACertificate: Phrase("not a certificate in PEM or DER")
        case .noCertificate: Phrase("there is no certificate in it")
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
