public import PassSigning

extension SigningFolderError: Worded {
    /// Why the folder of keys and certificates cannot do what was asked.
    public var phrase: Phrase {
        switch self {
        case .unreadable(let fault), .unwritable(let fault): fault.error.phrase
        case .notACertificate: Phrase("not a certificate in PEM or DER")
        case .notForPasses(let name):
            Phrase(
                "'{name}' is not a Pass Type ID certificate: it does not name a pass type and a team",
                ["name": .text(name)])
        case .otherPassType(let certificate, _):
            Phrase("the certificate is for {name}", ["name": .text(certificate)])
        case .otherTeam(let certificate, _):
            Phrase("the certificate belongs to the team {name}", ["name": .text(certificate)])
        case .keyMissing:
            Phrase(
                "its key is not on this computer: import it where the request was made, or as a .p12 file"
            )
        case .noCertificate(let passType):
            Phrase(
                "there is no certificate with a key for {name}: import one with `passconduit certificate import`, or use --p12 or --certificate",
                ["name": .text(passType)])
        case .ambiguous(let text):
            Phrase(
                "more than one certificate has a fingerprint that begins with {name}",
                ["name": .text(text)])
        case .badEmailAddress: Phrase("the mail address is empty, too long or not ASCII")
        case .badName: Phrase("the name is empty or too long")
        case .badCountry: Phrase("a country code has two letters, such as US")
        case .notGenerated: Phrase("OpenSSL could not create a key")
        case .identity(let error): error.phrase
        }
    }
}
