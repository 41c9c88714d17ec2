internal import PassPresentation
internal import PassService
internal import PassSession

/// Why the certificate of the service, or its key, cannot be used.
enum CertificateFailure: Error {
    /// The file of the certificate cannot be read.
    case unreadable(Failure)
    /// The file of the key is not read.
    case secretFile(SecretFileError)
    /// The file has no certificate in PEM.
    case noCertificate(String)
    /// The file has no private key in PEM, or an encrypted one.
    case noKey(String)
    /// The key is not that of the first certificate in the file.
    case mismatch(certificate: String, key: String)
}

extension CertificateFailure: Worded {
    var phrase: Phrase {
        switch self {
        case .unreadable(let failure): failure.phrase
        case .secretFile(let error): error.phrase
        case .noCertificate(let path):
            Phrase("{name} contains no certificate in PEM form", ["name": .text(path)])
        case .noKey(let path):
            Phrase(
                "{name} contains no unencrypted private key in PEM form", ["name": .text(path)])
        case .mismatch(let certificate, let key):
            Phrase(
                "the key in {key} does not belong to the first certificate in {name}",
                ["key": .text(key), "name": .text(certificate)])
        }
    }
}
