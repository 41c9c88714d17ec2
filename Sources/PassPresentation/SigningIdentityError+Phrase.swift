public import PassSigning

extension SigningIdentityError: Worded {
    /// Why the certificate and its key cannot sign, and what to do.
    public var phrase: Phrase {
        switch self {
        case .notACertificate: Phrase("not a certificate in PEM or DER")
        case .notAKey: Phrase("not a private key in PEM or DER")
        case .notPKCS12: Phrase("not a PKCS #12 file")
        case .unsupportedEncryption:
            Phrase("OpenSSL does not support the encryption of this file: export it again")
        case .passwordNeeded:
            Phrase("a password is needed: use a terminal, --password-file or --password-fd")
        case .wrongPassword: Phrase("the password is wrong")
        case .noKey:
            Phrase("there is no private key in it: export the certificate together with its key")
        case .noCertificate: Phrase("there is no certificate in it")
        case .keyOfOtherCertificate: Phrase("the key does not belong to the certificate")
        case .unsupportedKey:
            Phrase("the key must be RSA with at least 2048 bits, or ECDSA on a NIST curve")
        case .issuerMissing:
            Phrase(
                "the certificate of its issuer is missing: name it with --intermediate (Apple's are at apple.com/certificateauthority), or an authority of your own with --trust-root or `passconduit trust add`"
            )
        case .agentUnavailable:
            Phrase("ssh-agent does not answer: start it, and check SSH_AUTH_SOCK")
        case .keyNotInAgent:
            Phrase("ssh-agent does not have the key of the certificate: add it with ssh-add")
        case .notATokenURI: Phrase("not a PKCS #11 URI such as pkcs11:token=Issuer;object=pass")
        case .pinInURI:
            Phrase(
                "the URI contains the PIN, which other users could see: use a terminal, --password-file or --password-fd"
            )
        case .noToken: Phrase("no token matches the URI")
        case .severalTokens: Phrase("the URI matches several tokens: name one with token=…")
        case .keyNotInToken: Phrase("the token has no private key that matches the URI")
        case .tokenRefused: Phrase("the token refuses to sign")
        case .pinLocked: Phrase("the PIN is locked after too many wrong attempts")
        }
    }
}
