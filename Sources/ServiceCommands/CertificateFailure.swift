internal import PassPresentation
internal import Platform

/// Why the certificate of the service, or its key, cannot be used.
enum CertificateFailure: Error, Hashable {
    /// The file cannot be read: the system's errno.
    case unreadable(String, code: CInt)
    /// The file of the key can be read or changed by other users.
    case open(String)
    /// The file of the key belongs to another user.
    case foreign(String)
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
        case .unreadable(let path, let code):
            Phrase(
                "cannot read {place}: {reason}",
                ["place": .text(path), "reason": .phrase(FileError(.read, code).reasonPhrase)])
        case .open(let path):
            Phrase(
                "other users can read the key in {name}; run: chmod 600 {name}",
                ["name": .text(path)])
        case .foreign(let path):
            Phrase(
                "the key in {name} belongs to another user; the owner must be root or the user of the service",
                ["name": .text(path)])
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
