internal import PassModel
public import PassSigning
internal import PassVerification

extension LintFault: Worded {
    /// The mistake; file and key stand beside it.
    public var phrase: Phrase {
        switch self {
        case .finding(.oddity(.missingFieldKey(let key, _))):
            Phrase("Field dictionary must contain key '{name}'", ["name": .text(key)])
        case .finding(let finding): finding.phrase
        case .misspeltFile: Phrase("Wallet does not use a file of this name")
        case .passInFolder(let folder):
            Phrase("pass.json is in the folder '{name}'", ["name": .text(folder)])
        case .strayFile: Phrase("Wallet does not use a file of this name")
        case .systemFile: Phrase("an operating system created this file")
        case .notAFile: Phrase("links and special files are left out of the pass")
        case .notAPNG: Phrase("the image is a JPEG, not a PNG")
        case .imageUnreadable: Phrase("the file does not contain an image")
        case .imageSize(let size, _):
            Phrase("the image has {size} pixels", ["size": .text(size.text)])
        case .imageTooLarge(let size, let most):
            Phrase(
                "the image has {size} pixels, but there is only space for {most}",
                ["size": .text(size.text), "most": .text(most.text)])
        case .tooLarge(let bytes, let limit):
            Phrase(
                "the size is {size}, but Wallet accepts at most {limit}",
                ["size": .size(bytes), "limit": .size(limit)])
        case .tooManyPasses(let count, let limit):
            Phrase(
                "the bundle has {count} passes, but Wallet accepts at most {limit}",
                ["count": .number(count), "limit": .number(limit)])
        case .unknownKey(let key, let meant):
            Phrase(
                "Wallet does not know the key '{name}'", ["name": .text(shown(key, besides: meant))]
            )
        case .missingKey(let key): Phrase("the key '{name}' is missing", ["name": .text(key)])
        case .wrongType(let found, let expected):
            Phrase(
                "the value is {kind} instead of {expected}",
                ["kind": .phrase(found.phrase), "expected": .phrase(expected.phrase)])
        case .unknownValue(let text, let meant):
            Phrase(
                "Wallet does not know the value '{text}'",
                ["text": .text(shown(text, besides: meant))])
        case .nullCharacter: Phrase("the identifier contains the character U+0000")
        case .outOfRange(let least, let most):
            Phrase(
                "the number must be from {least} to {most}",
                ["least": .number(least), "most": .number(most)])
        case .invalidColor(let text): Phrase("not a colour: {text}", ["text": .text(text)])
        case .colorForm(let text):
            Phrase("the colour '{text}' is not of the form rgb(r, g, b)", ["text": .text(text)])
        case .invalidDate(let text): Phrase("not a date: {text}", ["text": .text(text)])
        case .dateForm(let text):
            Phrase("the date '{text}' is not a W3C date", ["text": .text(text)])
        case .invalidURL(let text): Phrase("not a URL: {text}", ["text": .text(text)])
        case .invalidUUID(let text): Phrase("not a UUID: {text}", ["text": .text(text)])
        case .unknownCurrency(let text):
            Phrase("'{text}' is not an ISO 4217 currency code", ["text": .text(text)])
        case .repeatedFieldKey(let key, let first):
            Phrase(
                "the field {place} already has the key '{name}'",
                ["name": .text(key), "place": .text(first)])
        case .messageWithoutValue:
            Phrase("the message has no %@, which Wallet replaces with the new value")
        case .insecureURL: Phrase("the web service must use https")
        case .versionInURL: Phrase("the URL ends in /v1, which devices append themselves")
        case .shortToken(let count, let least):
            Phrase(
                "the token has {count} characters; Apple requires {least}",
                ["count": .number(count), "least": .number(least)])
        case .missingCounterpart(let key):
            Phrase("updates also require the key '{name}'", ["name": .text(key)])
        case .longMessage(let bytes, let limit):
            Phrase(
                "the message has {count} bytes, but Wallet accepts at most {limit}",
                ["count": .number(bytes), "limit": .number(limit)])
        case .lowContrast(let tenths):
            Phrase(
                "hard to read on the background: the contrast is only {number}:1",
                ["number": .text("\(tenths / 10).\(tenths % 10)")])
        case .barcode(let fault): fault.error.phrase
        case .unknownEncoding(let name):
            Phrase("there is no encoding '{name}'", ["name": .text(name)])
        case .notInEncoding(let name):
            Phrase(
                "the message has characters that the encoding '{name}' lacks", ["name": .text(name)]
            )
        case .schemeOfOtherStyle(let scheme, let style):
            Phrase(
                "'{name}' is only for passes of the style '{style}'",
                ["name": .text(scheme), "style": .text(style.rawValue)])
        case .missingSemantics(let tag, let scheme):
            Phrase(
                "'{scheme}' requires the semantic tag '{name}'",
                ["scheme": .text(scheme), "name": .text(tag)])
        case .missingForScheme(let names, let scheme) where names.count > 1:
            Phrase(
                "'{scheme}' requires one of {names}",
                ["scheme": .text(scheme), "names": .text(names.joined(separator: ", "))])
        case .missingForScheme(let names, let scheme):
            Phrase(
                "'{scheme}' requires {name}",
                ["scheme": .text(scheme), "name": .text(names.first ?? "")])
        case .untranslatedKey(let key):
            Phrase("no language has a text for the key '{name}'", ["name": .text(key)])
        case .missingTranslation(let key, let language):
            Phrase(
                "there is no entry for '{name}', but '{language}' has one",
                ["name": .text(key), "language": .text(language)])
        case .intermediateMissing(let issuer):
            Phrase(
                "the signature lacks the certificate of the authority '{name}'",
                ["name": .text(issuer)])
        case .intermediateWrong(let issuer, let found):
            Phrase(
                "the certificate was issued by '{name}', but the signature contains only: {other}",
                ["name": .text(issuer), "other": .text(found.joined(separator: ", "))])
        case .repeatedSerialNumber(let serial):
            Phrase("another pass has the serial number '{name}'", ["name": .text(serial)])
        case .notAVersion(let identity):
            Phrase(
                "the previous version is a different pass: {type}, {serial}",
                [
                    "type": .text(identity.passTypeIdentifier),
                    "serial": .text(identity.serialNumber),
                ])
        case .changedWithoutMessage:
            Phrase("the value changed, but the field has no changeMessage")
        case .moreFindings(let count): Phrase("and {count} more", ["count": .number(count)])
        }
    }

    /// What to do about it.
    public var remedy: Phrase {
        switch self {
        case .finding(let finding): finding.remedy
        case .misspeltFile(let meant): Phrase("rename it to {name}", ["name": .text(meant)])
        case .passInFolder: Phrase("move the files of the pass out of the folder")
        case .strayFile, .systemFile, .nullCharacter: Phrase("remove it")
        case .notAFile: Phrase("replace it with the file itself, or remove it")
        case .notAPNG, .imageUnreadable: Phrase("save the image as PNG")
        case .imageSize(_, let expected):
            Phrase(
                "resize it; allowed sizes: {size}",
                ["size": .text(expected.prefix(3).map(\.text).joined(separator: ", "))])
        case .imageTooLarge(_, let most):
            Phrase("scale it down to at most {size}", ["size": .text(most.text)])
        case .tooLarge: Phrase("use smaller images or fewer passes")
        case .tooManyPasses: Phrase("make several bundles")
        case .unknownKey(_, let meant?), .unknownValue(_, let meant?):
            Phrase("did you mean '{name}'?", ["name": .text(meant)])
        case .unknownKey(_, nil): Phrase("remove it, or move data for your app to userInfo")
        case .unknownValue(_, nil): Phrase("use one of the values that Apple documents")
        case .missingKey(let key): Phrase("add '{name}'", ["name": .text(key)])
        case .wrongType(_, .string): Phrase("write it in quotes")
        case .wrongType(_, .number): Phrase("write it without quotes")
        case .wrongType(_, .boolean): Phrase("write true or false, without quotes")
        case .wrongType(_, .array), .wrongType(_, .arrayOfObjects):
            Phrase("put it in square brackets")
        case .wrongType: Phrase("use the type that Apple documents")
        case .outOfRange: Phrase("use a number in this range")
        case .invalidColor, .colorForm: Phrase("use the form rgb(22, 55, 110)")
        case .invalidDate, .dateForm: Phrase("use the form 2026-05-01T19:30+02:00")
        case .invalidURL: Phrase("write the whole URL, such as https://example.com/")
        case .invalidUUID: Phrase("write hexadecimal digits in groups of 8-4-4-4-12")
        case .unknownCurrency: Phrase("use three capital letters, such as EUR")
        case .repeatedFieldKey: Phrase("give each field a key of its own")
        case .messageWithoutValue: Phrase("add %@, such as 'Gate changed to %@'")
        case .insecureURL: Phrase("use an https URL")
        case .versionInURL: Phrase("remove /v1 from the URL")
        case .shortToken: Phrase("use a longer random token")
        case .missingCounterpart(let key): Phrase("add '{name}'", ["name": .text(key)])
        case .longMessage: Phrase("shorten the message")
        case .lowContrast: Phrase("choose a lighter or darker colour")
        case .barcode: Phrase("correct the message, or use another format")
        case .unknownEncoding: Phrase("use iso-8859-1 or utf-8")
        case .notInEncoding: Phrase("use utf-8")
        case .schemeOfOtherStyle(let scheme, _):
            Phrase("remove '{name}'", ["name": .text(scheme)])
        case .missingSemantics(let tag, _):
            Phrase("add '{name}'; otherwise Wallet shows the classic style", ["name": .text(tag)])
        case .missingForScheme: Phrase("add it; otherwise Wallet shows the classic style")
        case .untranslatedKey:
            Phrase("add it to the pass.strings of each language; otherwise Wallet shows the key")
        case .missingTranslation:
            Phrase("translate it; otherwise Wallet shows the text of pass.json")
        case .intermediateMissing(let issuer), .intermediateWrong(let issuer, _):
            Phrase(
                "include the certificate of '{name}', which is on Apple's site",
                ["name": .text(issuer)])
        case .repeatedSerialNumber: Phrase("give each pass a serial number of its own")
        case .notAVersion: Phrase("compare it with an earlier version of the same pass")
        case .changedWithoutMessage:
            Phrase("add one; otherwise the change arrives silently")
        case .moreFindings: Phrase("correct these first")
        }
    }
}

/// The text; with characters beyond ASCII as `\u{212A}` if it looks like the word that was meant.
private func shown(_ text: String, besides meant: String?) -> String {
    guard text == meant else { return text }
    return text.unicodeScalars.map { scalar in
        scalar.isASCII
            ? String(scalar) : "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    }.joined()
}

extension Finding {
    /// What an issuer can do about it.
    fileprivate var remedy: Phrase {
        switch self {
        case .oddity(let oddity): oddity.remedy
        case .archive: archiveAdvice ?? Check.Name.archive.advice
        case .passMissing: Phrase("add pass.json")
        case .pass(.notJSON), .pass(.notAnObject): Phrase("correct the syntax of pass.json")
        case .pass(.missingIdentity(let key)): Phrase("add '{name}'", ["name": .text(key)])
        case .pass(.notUnicode): Phrase("correct the value")
        case .pass: Phrase("shorten it")
        case .topFolder: Phrase("pack the files of the pass without the folder around them")
        case .passTypeNotInExtension, .passTypeNotInSubject, .passTypeExtensionMissing,
            .teamNotInSubject:
            Phrase("change the identifier, or sign with the certificate for it")
        case .certificateNotValid, .certificateExpiredSince:
            Phrase("get a new certificate from Apple, and sign the pass with it")
        case .wrongPurpose, .noPathToAnchor, .shortKey, .weakKey, .unusualKey,
            .keyUsageWithoutSignature:
            Phrase("sign with a Pass Type ID certificate from Apple")
        case .imageNameCase(let name):
            Phrase("rename it to {name}", ["name": .text(name.lowercased())])
        default: Phrase("sign the pass again")
        }
    }
}

extension Oddity {
    fileprivate var remedy: Phrase {
        switch self {
        case .utf16, .byteOrderMark, .json(.invalidUTF8, _):
            Phrase("save it as UTF-8 without a byte order mark")
        case .json(.loneSurrogate, _): Phrase("correct the value")
        case .json: Phrase("correct the syntax of pass.json")
        case .missingKey(let key), .missingFieldKey(let key, _):
            Phrase("add '{name}'", ["name": .text(key)])
        case .missingStyle: Phrase("add a style with its fields")
        case .missingIcon: Phrase("add icon.png of 38 x 38 pixels, icon@2x.png and icon@3x.png")
        case .formatVersion: Phrase("set it to 1")
        case .severalStyles: Phrase("keep one style")
        case .tooManyLocations, .tooManyBeacons: Phrase("keep the 10 that matter most")
        case .strings: Phrase("write each entry as \"key\" = \"text\";")
        case .tooManyLanguages, .stringsTooLarge, .stringsTooManyEntries, .tooManyFields,
            .tooManyEvents:
            Phrase("shorten it")
        default: Phrase("correct the value")
        }
    }
}

extension PixelSize {
    fileprivate var text: String { "\(width) x \(height)" }
}
