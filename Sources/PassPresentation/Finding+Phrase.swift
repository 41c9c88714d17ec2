public import PassVerification

extension Finding: Worded {
    /// Uses Apple's wording where there is one, since people search for it.
    public var phrase: Phrase {
        switch self {
        case .archive(let fault): fault.phrase
        case .passMissing: Phrase("there is no pass.json")
        case .pass(let error): error.phrase
        case .manifestMissing: Phrase("there is a signature, but no manifest.json")
        case .manifest(let error):
            Phrase("manifest.json cannot be read: {reason}", ["reason": .phrase(error.phrase)])
        case .signatureUnreadable:
            Phrase("the signature is not a CMS SignedData in DER or BER")
        case .signatureOverLimit(.certificates, let limit):
            Phrase(
                "the signature has more than {count} certificates", ["count": .number(limit)])
        case .signatureOverLimit(.signers, let limit):
            Phrase("the signature has more than {count} signers", ["count": .number(limit)])
        case .signatureOverLimit(.digests, let limit):
            Phrase("the signature has more than {count} digests", ["count": .number(limit)])
        case .unsigned: Phrase("there is no signature")
        case .fileDiffers(let path):
            Phrase("{name} differs from its hash in the manifest", ["name": .text(path)])
        case .fileMissing(let path):
            Phrase("{name} is in the manifest, but not in the pass", ["name": .text(path)])
        case .fileNotListed(let path):
            Phrase("No entry in manifest for file {name}", ["name": .text(path)])
        case .moreFiles(_, let count): Phrase("and {count} more", ["count": .number(count)])
        case .signatureMismatch: Phrase("Manifest signature did not verify successfully")
        case .signatureCanonicalised:
            Phrase(
                "Manifest signature did not verify successfully: it verifies only with CRLF line endings in manifest.json, so it was made without -binary"
            )
        case .signatureWithoutSigner:
            Phrase("Manifest signature did not verify successfully: it has no signer")
        case .signerCertificateMissing:
            Phrase(
                "Manifest signature did not verify successfully: the certificate of the signer is not in it"
            )
        case .attachedContentDiffers:
            Phrase("the signature contains something other than manifest.json")
        case .severalSigners: Phrase("there is more than one signer")
        case .signatureOfSomethingElse:
            Phrase("the content type of the signature is not 'data'")
        case .weakDigest(let name):
            Phrase("the signature uses the weak digest {name}", ["name": .text(name)])
        case .signingTimeMissing: Phrase("Signature must contain a signing date")
        case .signingTimeRepeated:
            Phrase("the signature contains more than one signing date")
        case .signingTimeUnreadable:
            Phrase("the signing date of the signature is not a date")
        case .signingTimeInFuture(let date):
            Phrase("the signing date is in the future: {date}", ["date": .day(date)])
        case .certificateNotValid(let name, let start, let end, let date):
            Phrase(
                "the certificate '{name}' is valid from {start} to {end}, and not on {date}",
                [
                    "name": .text(name), "start": .day(start), "end": .day(end),
                    "date": .day(date),
                ])
        case .noPathToAnchor(let name, let issuer):
            Phrase(
                "the certificate '{name}' leads to no trust anchor; it was issued by '{issuer}'",
                ["name": .text(name), "issuer": .text(issuer)])
        case .anchorNotForPassType(let anchor, let type):
            Phrase(
                "the certificate leads to '{name}', which you do not trust for the pass type '{type}'",
                ["name": .text(anchor), "type": .text(type)])
        case .chainInvalid(let fault):
            Phrase(
                "the certificate chain is not valid: {reason}", ["reason": .phrase(fault.phrase)])
        case .chainWeakDigest(let name):
            Phrase(
                "the certificate '{name}' is signed with a digest that can be forged",
                ["name": .text(name)])
        case .chainUnusualKey(let name, let key):
            Phrase(
                "the key of the certificate '{name}' is not one that Wallet accepts: {key}",
                ["name": .text(name), "key": .text(key)])
        case .wrongPurpose:
            Phrase(
                "the certificate is not for passes: its extended key usage lacks {name}",
                ["name": .text(PassCertificate.purpose)])
        case .weakKey(let bits):
            Phrase(
                "the key of the certificate has a strength of only {count} bits",
                ["count": .number(bits)])
        case .unusualKey(let name):
            Phrase(
                "the key of the certificate is not one that Wallet accepts: {name}",
                ["name": .text(name)])
        case .passTypeExtensionMissing:
            Phrase(
                "the certificate lacks the extension {name}, which names the pass type",
                ["name": .text(PassCertificate.passType)])
        case .passTypeNotInExtension(let type, let named):
            Phrase(
                "the pass type identifier is '{type}', and the certificate names {name} in its extension",
                [
                    "type": .text(type),
                    "name": named.map { .text($0) } ?? .phrase(Phrase("something else")),
                ])
        case .passTypeNotInSubject(let type, let named):
            Phrase(
                "the pass type identifier is '{type}', and the certificate names {name} in its subject",
                ["type": .text(type), "name": .list(named)])
        case .teamNotInSubject(let team, let named):
            Phrase(
                "the team identifier is '{type}', and the certificate names {name}",
                ["type": .text(team), "name": .list(named)])
        case .leadingBytes(let count):
            .counted(
                "there is {count} byte before the archive",
                "there are {count} bytes before the archive", count)
        case .trailingBytes(let count):
            .counted(
                "there is {count} byte after the archive",
                "there are {count} bytes after the archive", count)
        case .localHeaderDiffers(let path):
            Phrase(
                "the header before '{name}' differs from the directory of the archive",
                ["name": .text(path)])
        case .hiddenFile(let path): .unlistedEntry(path)
        case .topFolder(let name):
            Phrase("the whole pass is in a folder '{name}'", ["name": .text(name)])
        case .imageNameCase(let name):
            Phrase(
                "Wallet looks for '{name}', not '{other}'",
                ["name": .text(name.lowercased()), "other": .text(name)])
        case .manifestEncoding(.byteOrderMark):
            Phrase("manifest.json begins with a byte order mark")
        case .manifestEncoding(.utf16): Phrase("manifest.json is UTF-16")
        case .manifestUpperCase: Phrase("manifest.json has hashes in upper case")
        case .manifestDuplicateKey: Phrase("manifest.json lists a file twice, with one hash")
        case .manifestListsItself: Phrase("manifest.json lists itself")
        case .signatureAttached: Phrase("the signature carries a copy of manifest.json")
        case .shortKey(let bits):
            Phrase(
                "the certificate has an RSA key of only {count} bits", ["count": .number(bits)])
        case .keyUsageWithoutSignature:
            Phrase("the key usage of the certificate lacks digitalSignature")
        case .certificateExpiredSince(let date):
            Phrase(
                "the certificate was valid when the pass was signed, and expired on {date}",
                ["date": .day(date)])
        case .judgedAt(let date):
            Phrase(
                "the certificates were checked as of {date}, as requested", ["date": .day(date)])
        case .longCombiningRun:
            Phrase(
                "a long run of combining marks is broken in a file name or a header field")
        case .oddity(let oddity): oddity.phrase
        case .stored(_, let detail) where !detail.isEmpty: .verbatim(detail)
        case .stored(let code, _):
            Phrase("another version of this program found {name}", ["name": .text(code)])
        }
    }
}

extension ArchiveFault: Worded {
    /// The fault as a phrase.
    public var phrase: Phrase { error.phrase }
}

extension ChainFault: Worded {
    /// The fault as a phrase.
    public var phrase: Phrase {
        switch self {
        case .outOfMemory: Phrase("out of memory")
        case .noAnchor: Phrase("it does not lead to a trust anchor")
        case .openSSL(let reason, nil): .verbatim(reason)
        case .openSSL(let reason, let certificate?): .verbatim("\(certificate): \(reason)")
        }
    }
}

extension UnreadableFile: Worded {
    /// The path and the reason.
    public var phrase: Phrase {
        .joined([.verbatim(path), error.phrase], separator: ": ")
    }
}

extension Phrase.Value {
    fileprivate static func list(_ names: [String]) -> Phrase.Value {
        names.isEmpty ? .phrase(Phrase("nothing")) : .text(names.joined(separator: ", "))
    }
}
