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
        case .misspeltFile: Phrase("Wallet does not read a file of this name")
        case .passInFolder(let folder):
            Phrase("pass.json is in the folder '{name}'", ["name": .text(folder)])
        case .strayFile: Phrase("Wallet does not use a file of this name")
        case .systemFile: Phrase("the file is from an operating system, not from you")
        case .notAFile: Phrase("a link or special file does not become part of the pass")
        case .notAPNG: Phrase("the image is a JPEG, not a PNG")
        case .imageUnreadable: Phrase("there is no image in the file")
        case .imageSize(let size, _):
            Phrase("the image has {size} pixels", ["size": .text(size.text)])
        case .imageTooLarge(let size, let most):
            Phrase(
                "the image has {size} pixels, and the space for it {most}",
                ["size": .text(size.text), "most": .text(most.text)])
        case .tooLarge(let bytes, let limit):
            Phrase(
                "it has {size}, and Wallet accepts {limit}",
                ["size": .size(bytes), "limit": .size(limit)])
        case .tooManyPasses(let count, let limit):
            Phrase(
                "the bundle has {count} passes, and Wallet accepts {limit}",
                ["count": .number(count), "limit": .number(limit)])
        case .unknownKey(let key, _):
            Phrase("Wallet does not know the key '{name}'", ["name": .text(key)])
        case .missingKey(let key): Phrase("the key '{name}' is missing", ["name": .text(key)])
        case .wrongType(let found, let expected):
            Phrase(
                "the value is {kind} instead of {expected}",
                ["kind": .phrase(found.phrase), "expected": .phrase(expected.phrase)])
        case .unknownValue(let text, _):
            Phrase("Wallet does not know the value '{text}'", ["text": .text(text)])
        case .outOfRange(let least, let most):
            Phrase(
                "the number is not from {least} to {most}",
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
            Phrase("'{text}' is not a currency code of ISO 4217", ["text": .text(text)])
        case .repeatedFieldKey(let key, let first):
            Phrase(
                "another field has the key '{name}': {place}",
                ["name": .text(key), "place": .text(first)])
        case .messageWithoutValue: Phrase("the message does not contain %@ for the new value")
        case .insecureURL: Phrase("the web service must use https")
        case .versionInURL: Phrase("devices append /v1 to the URL")
        case .shortToken(let count, let least):
            Phrase(
                "the token has {count} characters; Apple requires {least}",
                ["count": .number(count), "least": .number(least)])
        case .missingCounterpart(let key):
            Phrase("there are no updates without the key '{name}'", ["name": .text(key)])
        case .longMessage(let bytes, let limit):
            Phrase(
                "the message has {count} bytes; a reader gets only {limit}",
                ["count": .number(bytes), "limit": .number(limit)])
        case .lowContrast(let tenths):
            Phrase(
                "hardly readable on the background: a contrast of {number} : 1",
                ["number": .text("\(tenths / 10).\(tenths % 10)")])
        case .barcode(let fault): fault.error.phrase
        case .unknownEncoding(let name):
            Phrase("there is no encoding '{name}'", ["name": .text(name)])
        case .notInEncoding(let name):
            Phrase("the encoding '{name}' lacks characters of the message", ["name": .text(name)])
        case .schemeOfOtherStyle(let scheme, let style):
            Phrase(
                "'{name}' is only for passes of the style '{style}'",
                ["name": .text(scheme), "style": .text(style.rawValue)])
        case .missingSemantics(let tag, let scheme):
            Phrase(
                "'{scheme}' requires the semantic tag '{name}'",
                ["scheme": .text(scheme), "name": .text(tag)])
        case .missingForScheme(let names, let scheme):
            Phrase(
                "'{scheme}' requires {name}",
                ["scheme": .text(scheme), "name": .text(names.joined(separator: ", "))])
        case .missingTranslation(let key, let language):
            Phrase(
                "there is no entry for '{name}', which '{language}' has",
                ["name": .text(key), "language": .text(language)])
        case .intermediateMissing(let issuer):
            Phrase(
                "the signature lacks the certificate of the authority '{name}'",
                ["name": .text(issuer)])
        case .intermediateWrong(let issuer, let found):
            Phrase(
                "'{name}' issued the certificate of the signer, but the signature contains: {other}",
                ["name": .text(issuer), "other": .text(found.joined(separator: ", "))])
        case .repeatedSerialNumber(let serial):
            Phrase("another pass has the serial number '{name}'", ["name": .text(serial)])
        case .notAVersion(let identity):
            Phrase(
                "the previous version is another pass: {type}, {serial}",
                [
                    "type": .text(identity.passTypeIdentifier),
                    "serial": .text(identity.serialNumber),
                ])
        case .changedWithoutMessage:
            Phrase("the value changed, and the field has no changeMessage")
        case .moreFindings(let count): Phrase("and {count} more", ["count": .number(count)])
        }
    }

    /// What to do about it.
    public var remedy: Phrase {
        switch self {
        case .finding(let finding): finding.remedy
        case .misspeltFile(let meant): Phrase("rename it to {name}", ["name": .text(meant)])
        case .passInFolder: Phrase("move the files of the pass out of the folder")
        case .strayFile, .systemFile: Phrase("remove it")
        case .notAFile: Phrase("replace it with the file itself, or remove it")
        case .notAPNG, .imageUnreadable: Phrase("save the image as PNG")
        case .imageSize(_, let expected):
            Phrase(
                "give it one of the sizes {size}",
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
        case .outOfRange: Phrase("correct the number")
        case .invalidColor, .colorForm: Phrase("write it as rgb(22, 55, 110)")
        case .invalidDate, .dateForm: Phrase("write it as 2026-05-01T19:30+02:00")
        case .invalidURL: Phrase("write it with https://")
        case .invalidUUID: Phrase("write it as 8-4-4-4-12 hexadecimal digits")
        case .unknownCurrency: Phrase("write it as three capital letters, such as EUR")
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
        case .missingTranslation: Phrase("translate it, or Wallet shows the text of pass.json")
        case .intermediateMissing(let issuer), .intermediateWrong(let issuer, _):
            Phrase(
                "put the certificate of '{name}' from Apple's site into the signature",
                ["name": .text(issuer)])
        case .repeatedSerialNumber: Phrase("give each pass a serial number of its own")
        case .notAVersion: Phrase("compare it with an earlier version of the same pass")
        case .changedWithoutMessage:
            Phrase("add a changeMessage, or the change arrives silently")
        case .moreFindings: Phrase("correct the others first")
        }
    }
}

extension Finding {
    /// What an issuer can do about it.
    fileprivate var remedy: Phrase {
        switch self {
        case .oddity(let oddity): oddity.remedy
        case .passMissing: Phrase("add pass.json")
        case .pass(.notJSON), .pass(.notAnObject): Phrase("correct the syntax of pass.json")
        case .pass(.missingIdentity(let key)): Phrase("add '{name}'", ["name": .text(key)])
        case .pass: Phrase("shorten it")
        case .topFolder: Phrase("pack the files of the pass without the folder around them")
        case .passTypeNotInExtension, .passTypeNotInSubject, .passTypeExtensionMissing,
            .teamNotInSubject:
            Phrase("change the identifier, or sign with the certificate for it")
        case .certificateNotValid, .certificateExpiredSince:
            Phrase("get a new certificate from Apple, and sign the pass with it")
        case .wrongPurpose, .noPathToAnchor, .shortKey, .weakKey, .keyUsageWithoutSignature:
            Phrase("sign with a pass type certificate of Apple")
        case .imageNameCase(let name):
            Phrase("rename it to {name}", ["name": .text(name.lowercased())])
        default: Phrase("sign the pass again")
        }
    }
}

extension Oddity {
    fileprivate var remedy: Phrase {
        switch self {
        case .utf16, .byteOrderMark: Phrase("save it as UTF-8 without a byte order mark")
        case .json: Phrase("correct the syntax of pass.json")
        case .missingKey(let key), .missingFieldKey(let key, _):
            Phrase("add '{name}'", ["name": .text(key)])
        case .missingStyle: Phrase("add the style with its fields")
        case .missingIcon: Phrase("add an icon of 38 x 38 pixels, and @2x and @3x of it")
        case .formatVersion: Phrase("write 1")
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
