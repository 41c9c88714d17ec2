package import Localization

extension Sentence {
    /// Findings of the verifier.
    package static let verification: [Sentence] = [
        Sentence("there is no pass.json"),
        Sentence("there is a signature, but no manifest.json"),
        Sentence("manifest.json cannot be read: {reason}"),
        Sentence("the signature is not a CMS SignedData in DER or BER"),
        Sentence("the signature has more than {count} {name}"),
        Sentence("there is no signature"),
        Sentence("{name} differs from its hash in the manifest"),
        Sentence("{name} is in the manifest and not in the pass"),
        Sentence("No entry in manifest for file {name}"),
        Sentence(
            "Manifest signature did not verify successfully: it verifies only if the line ends of manifest.json are changed to CRLF, so it was made without -binary"
        ),
        Sentence("Manifest signature did not verify successfully: nobody signed it"),
        Sentence(
            "Manifest signature did not verify successfully: the certificate of the signer is not in it"
        ),
        Sentence("Manifest signature did not verify successfully"),
        Sentence("the signature carries content of its own that is not manifest.json"),
        Sentence("there is more than one signer"),
        Sentence("the signature was made for something else than plain data"),
        Sentence("the signature is made over the digest {name}"),
        Sentence("Signature must contain a signing date"),
        Sentence("the signature contains more than one signing date"),
        Sentence("the signing date of the signature is not a date"),
        Sentence("the signing date is in the future: {date}"),
        Sentence("the certificate '{name}' is valid from {start} to {end}, and not on {date}"),
        Sentence("the certificate '{name}' leads to no trust anchor; it was issued by '{issuer}'"),
        Sentence("the certificate chain is not valid: {reason}"),
        Sentence("out of memory"),
        Sentence("it leads to no anchor"),
        Sentence("the certificate '{name}' is signed over a digest that can be forged"),
        Sentence("the certificate is not one for passes: its extended key usage lacks {name}"),
        Sentence("the key of the certificate has a strength of only {count} bits"),
        Sentence("the certificate lacks the extension {name}, which names the pass type"),
        Sentence(
            "the pass type identifier is '{type}', and the certificate names {name} in its extension"
        ),
        Sentence(
            "the pass type identifier is '{type}', and the certificate names {name} in its subject"
        ),
        Sentence("the team identifier is '{type}', and the certificate names {name}"),
        Sentence("1 bytes stand before the archive"),
        Sentence("{count} bytes stand before the archive"),
        Sentence("1 bytes stand behind the archive"),
        Sentence("{count} bytes stand behind the archive"),
        Sentence("the whole pass lies in a folder '{name}'"),
        Sentence("Wallet looks for '{name}', not '{other}'"),
        Sentence("manifest.json begins with a byte order mark"),
        Sentence("manifest.json is UTF-16"),
        Sentence("manifest.json has hashes in upper case"),
        Sentence("manifest.json lists a file twice, with one hash"),
        Sentence("manifest.json lists itself"),
        Sentence("the signature carries a copy of manifest.json"),
        Sentence("the certificate was valid when the pass was signed, and expired on {date}"),
        Sentence("the certificates are judged as of {date}, as asked"),
        Sentence("and {count} more"),
        Sentence("it is not UTF-8"),
        Sentence("a path in it has more than 30 combining marks in a row"),
        Sentence("a long run of combining marks is broken in a file name or a header field"),
        Sentence("it lists more than {count} files"),
        Sentence("it has two different hashes for {name}"),
        Sentence("the value of {name} is not a string"),
        Sentence("{name} is missing at byte {number}"),
    ]
}
