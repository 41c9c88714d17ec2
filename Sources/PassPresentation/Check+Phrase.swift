import Archives
public import PassVerification

extension Check: Worded {
    /// The result and, after a failure, advice for the issuer in brackets.
    public var phrase: Phrase {
        switch answer {
        case .passed(let fact): fact.phrase
        case .failed(let findings):
            .joined(
                [
                    .joined(findings.map(\.phrase), separator: "; "), .verbatim(" ("),
                    findings.lazy.compactMap(\.archiveAdvice).first ?? name.advice,
                    .verbatim(")"),
                ], separator: "")
        case .skipped(let obstacle): obstacle.phrase
        }
    }
}

extension Finding {
    /// Advice on a file that is no intact archive; nil for other findings.
    var archiveAdvice: Phrase? {
        guard case .archive(let fault) = self else { return nil }
        switch fault.error {
        case .cutOff, .damagedDirectory, .damagedEntry:
            return Phrase("fetch the pass again, or ask its sender for it")
        case .notAnArchive: return Phrase("a pass is a ZIP archive of its files")
        default: return nil
        }
    }
}

extension Check.Name: Worded {
    /// The name of the check. Programs use the raw value.
    public var phrase: Phrase {
        switch self {
        case .archive: Phrase("archive")
        case .pass: Phrase("pass json")
        case .manifest: Phrase("manifest")
        case .files: Phrase("files")
        case .signature: Phrase("signature")
        case .signingTime: Phrase("signing time")
        case .chain: Phrase("certificate chain")
        case .purpose: Phrase("certificate purpose")
        case .passType: Phrase("pass type identifier")
        case .team: Phrase("team identifier")
        case .keys: Phrase("required keys")
        case .icon: Phrase("icon")
        }
    }

    /// Advice for issuers after a failure.
    public var advice: Phrase {
        switch self {
        case .archive:
            Phrase(
                "create a plain ZIP of the files: no symbolic links, no encryption, no duplicate names"
            )
        case .pass:
            Phrase(
                "put one JSON object with passTypeIdentifier and serialNumber into pass.json")
        case .manifest:
            Phrase(
                "put one JSON object into manifest.json: each path with its SHA-1 in hexadecimal"
            )
        case .files:
            Phrase(
                "create manifest.json last, from the files exactly as they go into the archive, and list all files except manifest.json and signature"
            )
        case .signature:
            Phrase(
                "sign the exact bytes of manifest.json: openssl smime -sign -binary -outform DER -signer ... -certfile ... -in manifest.json -out signature"
            )
        case .signingTime:
            Phrase("sign with signed attributes (no -noattr) and a correct clock")
        case .chain:
            Phrase(
                "sign with a Pass Type ID certificate from Apple that is still valid, and embed the WWDR intermediate that issued it"
            )
        case .purpose:
            Phrase("sign with a Pass Type ID certificate, not with another kind")
        case .passType:
            Phrase(
                "passTypeIdentifier in pass.json must be that of the Pass Type ID certificate")
        case .team:
            Phrase("teamIdentifier in pass.json must be that of the Pass Type ID certificate")
        case .keys: Phrase("Wallet refuses a pass without them")
        case .icon: Phrase("Wallet refuses a pass without an icon")
        }
    }
}

extension Check.Fact: Worded {
    /// The result that the check found.
    public var phrase: Phrase {
        switch self {
        case .archive(let files):
            .counted(
                "a valid ZIP archive of {count} file", "a valid ZIP archive of {count} files",
                files)
        case .pass(let serialNumber, let type):
            Phrase(
                "pass '{name}' of type '{type}'",
                ["name": .text(serialNumber), "type": .text(type)])
        case .manifest(let files):
            .counted("it lists {count} file", "it lists {count} files", files)
        case .filesMatch: Phrase("every file matches the manifest")
        case .signatureVerifies: Phrase("it matches manifest.json")
        case .signed(let date):
            Phrase("signed at {date}", ["date": .moment(date)])
        case .anchored(let anchor):
            Phrase("the certificate leads to '{name}'", ["name": .text(anchor)])
        case .certificateForPasses: Phrase("the certificate is for passes")
        case .certificateFor(let type):
            Phrase("the certificate is for '{name}'", ["name": .text(type)])
        case .certificateOf(let team):
            Phrase("the certificate is that of team '{name}'", ["name": .text(team)])
        case .keysPresent: Phrase("all keys that Wallet requires are there")
        case .iconPresent: Phrase("it has an icon")
        }
    }
}

extension Check.Obstacle: Worded {
    /// Why the check was not performed.
    public var phrase: Phrase {
        switch self {
        case .earlierFailure: Phrase("skipped: an earlier check failed")
        case .noManifest: Phrase("there is no manifest.json")
        case .noManifestToCompare: Phrase("there is no manifest to compare with")
        case .noSigningTime: Phrase("skipped: no signing time to validate at")
        }
    }
}
