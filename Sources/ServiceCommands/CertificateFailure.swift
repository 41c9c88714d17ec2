internal import PassPresentation
internal import PassService
internal import PassSession

/// The reason why the certificate of the service or its key cannot be used.
enum CertificateFailure: Error {
    /// The certificate file cannot be read.
    case unreadable(Failure)
    /// The key file cannot be read, or is refused.
    case secretFile(SecretFileError)
    /// The file contains no certificate in PEM.
    case noCertificate(String)
    /// The file contains no private key in PEM, or the key is encrypted.
    case noKey(String)
    /// The key does not belong to the first certificate in the file.
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
