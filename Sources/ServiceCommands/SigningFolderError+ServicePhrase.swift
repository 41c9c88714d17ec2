internal import PassPresentation
internal import PassSigning

// The phrases in PassPresentation mention options that only `passconduit sign` has.

extension SigningFolderError {
    /// The reason why the signing folder has no certificate to sign or push with.
    var servicePhrase: Phrase {
        switch self {
        case .noCertificate(let passType):
            Phrase(
                "there is no certificate with a key for {name}: import one with `passconduit certificate import`",
                ["name": .text(passType)])
        case .identity(let error):
            error.servicePhrase(
                passwordNeeded: Phrase(
                    "the key is encrypted: import it again with `passconduit certificate import`"))
        default: phrase
        }
    }
}

extension SigningIdentityError {
    /// The reason why a certificate and its key cannot sign or push.
    func servicePhrase(passwordNeeded: Phrase) -> Phrase {
        switch self {
        case .passwordNeeded: passwordNeeded
        case .issuerMissing:
            Phrase(
                "the certificate of its issuer is missing: add it to the file, or use `passconduit trust add`"
            )
        default: phrase
        }
    }
}
