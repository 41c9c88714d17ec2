package import Localization

extension Sentence {
    /// The verifier's checks, their results, and advice to issuers.
    package static let checks: [Sentence] = [
        Sentence("archive"),
        Sentence("pass json"),
        Sentence("manifest"),
        Sentence("files"),
        Sentence("signature"),
        Sentence("signing time"),
        Sentence("certificate chain"),
        Sentence("certificate purpose"),
        Sentence("pass type identifier"),
        Sentence("team identifier"),
        Sentence("required keys"),
        Sentence("icon"),
        Sentence("not asked: what comes before it failed"),
        Sentence("not asked: without a signing date nobody knows as of when"),
        Sentence("there is no manifest.json"),
        Sentence("there is no manifest to compare with"),
        Sentence("a sound ZIP archive of 1 file"),
        Sentence("a sound ZIP archive of {count} files"),
        Sentence("pass '{name}' of type '{type}'"),
        Sentence("all keys are there that Wallet requires"),
        Sentence("there is an icon"),
        Sentence("it lists 1 file"),
        Sentence("it lists {count} files"),
        Sentence("every file is as the manifest says"),
        Sentence("it verifies over manifest.json"),
        Sentence("signed at {date}"),
        Sentence("the certificate leads to '{name}'"),
        Sentence("the certificate is one for passes"),
        Sentence("the certificate is for '{name}'"),
        Sentence("the certificate is that of team '{name}'"),
        Sentence(
            "make a plain ZIP of the files themselves: no links, no passwords, each name once"
        ),
        Sentence("put one JSON object with passTypeIdentifier and serialNumber into pass.json"),
        Sentence("put one JSON object into manifest.json: each path with its SHA-1 in hexadecimal"),
        Sentence(
            "make manifest.json last, from the files exactly as they go into the archive, and list all but manifest.json and signature"
        ),
        Sentence(
            "sign the exact bytes of manifest.json: openssl smime -sign -binary -outform DER -signer ... -certfile ... -in manifest.json -out signature"
        ),
        Sentence("sign with signed attributes (no -noattr) and a clock that is right"),
        Sentence(
            "sign with a Pass Type ID certificate from Apple that is still valid, and embed the WWDR intermediate that issued it"
        ),
        Sentence("sign with a Pass Type ID certificate, not with another kind"),
        Sentence("passTypeIdentifier in pass.json must be that of the Pass Type ID certificate"),
        Sentence("teamIdentifier in pass.json must be that of the Pass Type ID certificate"),
        Sentence("Wallet refuses a pass without them"),
        Sentence("Wallet refuses a pass without an icon"),
    ]
}
