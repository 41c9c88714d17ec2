package import Barcodes
public import PassModel
public import PassVerification

/// A mistake in a pass that is to be issued.
///
/// Faults are data: ``rule`` is stable, and the module PassPresentation has a sentence for each case
/// and one for its remedy.
///
/// ```swift
/// if case .unknownKey(let key, let meant?) = finding.fault { print("\(key) -> \(meant)") }
/// ```
public enum LintFault: Sendable, Hashable {
    /// A finding of the verifier: about the archive, the manifest, the signature, the certificate,
    /// a missing key, or the syntax of a file.
    case finding(Finding)

    // MARK: Files

    /// Wallet does not read a file of this name, but one of a similar name.
    case misspeltFile(meant: String)
    /// pass.json is in this folder instead of at the top.
    case passInFolder(String)
    /// Wallet does not use a file of this name.
    case strayFile
    /// A file that an operating system created, such as .DS_Store.
    case systemFile
    /// A symbolic link or a special file, which does not become part of the pass.
    case notAFile
    /// An image that is a JPEG, although its name says PNG.
    case notAPNG
    /// An image whose contents are not an image.
    case imageUnreadable
    /// An image of another size than Wallet uses for its name, in pixels.
    case imageSize(PixelSize, expected: [PixelSize])
    /// An image larger than the space for it, in pixels.
    case imageTooLarge(PixelSize, most: PixelSize)
    /// A pass or bundle larger than Wallet accepts, in bytes.
    case tooLarge(bytes: Int, limit: Int)
    /// A bundle with more passes than Wallet accepts.
    case tooManyPasses(count: Int, limit: Int)

    // MARK: Keys and values

    /// A key that Wallet does not know, and the one that was probably meant.
    case unknownKey(String, meant: String?)
    /// An object lacks a key.
    case missingKey(String)
    /// A value of another type.
    case wrongType(found: JSONKind, expected: JSONKind)
    /// A value that is none of those that Wallet knows, and the one that was probably meant.
    case unknownValue(String, meant: String?)
    /// An identifier contains U+0000, where many programs end a text.
    case nullCharacter
    /// A number outside of these limits.
    case outOfRange(least: Int, most: Int)
    /// A text that is not a colour.
    case invalidColor(String)
    /// A colour that is not written as `rgb(r, g, b)`.
    case colorForm(String)
    /// A text that is not a date.
    case invalidDate(String)
    /// A date that is not written as the W3C note requires.
    case dateForm(String)
    /// A text that is not a URL.
    case invalidURL(String)
    /// A text that is not a UUID.
    case invalidUUID(String)
    /// A text that is not a currency code of ISO 4217.
    case unknownCurrency(String)
    /// Another field has the same key; the path is that of the first.
    case repeatedFieldKey(String, first: String)
    /// A changeMessage without `%@` for the new value.
    case messageWithoutValue
    /// The web service has no TLS.
    case insecureURL
    /// The URL ends in `/v1`, which devices append themselves.
    case versionInURL
    /// The authentication token has fewer characters than Apple requires.
    case shortToken(count: Int, least: Int)
    /// The key works only together with another one, which is absent.
    case missingCounterpart(String)
    /// The NFC message is longer than Wallet accepts, in bytes.
    case longMessage(bytes: Int, limit: Int)
    /// Text in this colour is hardly readable: the contrast ratio in tenths (WCAG 2.2).
    case lowContrast(tenths: Int)

    // MARK: Barcodes

    /// The message cannot be encoded.
    case barcode(BarcodeFault)
    /// There is no such charset.
    case unknownEncoding(String)
    /// The message has characters that the charset lacks.
    case notInEncoding(String)

    // MARK: Style schemes

    /// The scheme belongs to passes of another style.
    case schemeOfOtherStyle(scheme: String, style: PassStyle)
    /// The scheme requires this semantic tag.
    case missingSemantics(String, scheme: String)
    /// The scheme requires one of these keys or images.
    case missingForScheme([String], scheme: String)

    // MARK: Translations

    /// A text that is meant as a key, but no language translates it.
    case untranslatedKey(String)
    /// A text that another language has.
    case missingTranslation(String, language: String)

    // MARK: Certificates

    /// The signature lacks the certificate of the authority that issued the signer's.
    case intermediateMissing(issuer: String)
    /// The authorities in the signature did not issue the signer's certificate, but this one.
    case intermediateWrong(issuer: String, found: [String])

    // MARK: Other passes

    /// Another pass of the same run has the same serial number.
    case repeatedSerialNumber(String)
    /// The previous version is another pass.
    case notAVersion(PassIdentity)
    /// The value of a field differs from the previous version, and there is no changeMessage.
    case changedWithoutMessage
    /// The number of further mistakes, which are not listed.
    case moreFindings(count: Int)
}

/// A size in pixels. The payload of ``LintFault/imageSize(_:expected:)`` and
/// ``LintFault/imageTooLarge(_:most:)``.
public struct PixelSize: Sendable, Hashable {
    /// The width, in pixels.
    public let width: Int
    /// The height, in pixels.
    public let height: Int

    /// Creates a size.
    ///
    /// For example: `let icon = PixelSize(width: 38, height: 38)`
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }
}

/// Why a message cannot be encoded as a barcode. The payload of ``LintFault/barcode(_:)``.
public struct BarcodeFault: Sendable, Hashable {
    package let error: BarcodeError

    package init(_ error: BarcodeError) {
        self.error = error
    }
}

extension LintFault {
    /// The identifier in kebab case: `repeated-field-key`. Its meaning never changes.
    public var rule: String {
        switch self {
        case .finding(let finding): finding.code
        case .misspeltFile: "misspelt-file"
        case .passInFolder: "pass-in-folder"
        case .strayFile: "stray-file"
        case .systemFile: "system-file"
        case .notAFile: "not-a-file"
        case .notAPNG: "not-a-png"
        case .imageUnreadable: "image-unreadable"
        case .imageSize: "image-size"
        case .imageTooLarge: "image-too-large"
        case .tooLarge: "too-large"
        case .tooManyPasses: "too-many-passes"
        case .unknownKey(_, nil): "unknown-key"
        case .unknownKey: "misspelt-key"
        case .missingKey: "missing-key"
        case .wrongType: "wrong-type"
        case .unknownValue: "unknown-value"
        case .nullCharacter: "null-character"
        case .outOfRange: "out-of-range"
        case .invalidColor: "color-invalid"
        case .colorForm: "color-form"
        case .invalidDate: "date-invalid"
        case .dateForm: "date-form"
        case .invalidURL: "url-invalid"
        case .invalidUUID: "uuid-invalid"
        case .unknownCurrency: "unknown-currency"
        case .repeatedFieldKey: "duplicate-field-key"
        case .messageWithoutValue: "change-message-without-value"
        case .insecureURL: "insecure-url"
        case .versionInURL: "version-in-url"
        case .shortToken: "short-token"
        case .missingCounterpart: "missing-counterpart"
        case .longMessage: "nfc-message-too-long"
        case .lowContrast: "low-contrast"
        case .barcode: "barcode-unencodable"
        case .unknownEncoding: "barcode-encoding"
        case .notInEncoding: "barcode-not-in-encoding"
        case .schemeOfOtherStyle: "scheme-of-other-style"
        case .missingSemantics: "missing-semantics"
        case .missingForScheme: "missing-for-scheme"
        case .untranslatedKey: "untranslated-key"
        case .missingTranslation: "missing-translation"
        case .intermediateMissing: "intermediate-missing"
        case .intermediateWrong: "intermediate-wrong"
        case .repeatedSerialNumber: "repeated-serial-number"
        case .notAVersion: "not-a-version"
        case .changedWithoutMessage: "change-without-message"
        case .moreFindings: "more-findings"
        }
    }

    /// How serious it is.
    public var severity: LintSeverity {
        switch self {
        case .finding(let finding): finding.isTolerated ? .warning : .error
        case .misspeltFile, .passInFolder, .imageUnreadable, .tooLarge, .tooManyPasses,
            .unknownKey(_, meant: .some), .missingKey, .wrongType, .unknownValue, .nullCharacter,
            .outOfRange, .invalidColor, .invalidDate, .invalidURL, .invalidUUID, .repeatedFieldKey,
            .insecureURL, .shortToken, .longMessage, .barcode, .intermediateMissing,
            .intermediateWrong, .repeatedSerialNumber, .notAVersion:
            .error
        case .strayFile, .systemFile, .notAFile, .notAPNG, .imageSize, .imageTooLarge, .unknownKey,
            .colorForm, .dateForm, .unknownCurrency, .messageWithoutValue, .versionInURL,
            .missingCounterpart, .lowContrast, .unknownEncoding, .notInEncoding,
            .schemeOfOtherStyle, .missingSemantics, .missingForScheme, .untranslatedKey,
            .missingTranslation,
            .changedWithoutMessage, .moreFindings:
            .warning
        }
    }
}

extension Finding {
    /// Whether Wallet takes a pass with this finding. Stricter than the verifier where a new pass
    /// should follow a standard that Wallet's versions read differently. Foundation's parser
    /// (`NSJSONSerialization`) refuses bytes that are not UTF-8, and half a surrogate pair.
    fileprivate var isTolerated: Bool {
        switch self {
        case .oddity(.utf16), .oddity(.byteOrderMark), .oddity(.severalStyles),
            .oddity(.missingFieldKey), .oddity(.json(.invalidUTF8, _)),
            .oddity(.json(.loneSurrogate, _)):
            false
        case .oddity(.strings(let oddity, _)): oddity.isTolerated
        case .oddity, .leadingBytes, .trailingBytes, .localHeaderDiffers, .hiddenFile,
            .imageNameCase, .manifestEncoding, .manifestUpperCase, .manifestDuplicateKey,
            .manifestListsItself, .signatureAttached, .certificateExpiredSince, .judgedAt,
            .longCombiningRun:
            !isRefusedByWallet
        default: false
        }
    }
}

extension StringsOddity {
    /// Whether Apple's parser of property lists reads the file.
    fileprivate var isTolerated: Bool {
        switch self {
        case .duplicateKey, .longCombiningRun: true
        default: false
        }
    }
}
