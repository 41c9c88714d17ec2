internal import ArgumentParser
internal import Logging
internal import PassSession

/// The options for HTTPS.
struct TLSArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Speak HTTPS, with this certificate and those that issued it, in PEM.",
            valueName: "file"),
        completion: .file())
    var tlsCertificate: String?

    @Option(
        help: ArgumentHelp("The private key of the certificate, in PEM.", valueName: "file"),
        completion: .file())
    var tlsKey: String?

    func validate() throws {
        guard (tlsCertificate == nil) == (tlsKey == nil) else {
            throw ValidationError("--tls-certificate and --tls-key belong together")
        }
        if tlsCertificate == "" || tlsKey == "" { throw ValidationError("the path is empty") }
    }

    /// Nil for plain HTTP.
    func certificate(
        in session: Session, _ logger: Logger
    ) throws(CertificateFailure) -> ServiceCertificate? {
        guard let tlsCertificate, let tlsKey else { return nil }
        return try ServiceCertificate(tlsCertificate, key: tlsKey, in: session, logger: logger)
    }
}
