import Archives
import Barcodes
import Cryptography
import PassModel
import PassVerification

/// The cases of a type of which there are samples, so that an exhaustive switch over them detects a
/// new case.
protocol Sampled: Hashable {
    associatedtype Kind: CaseIterable & Hashable
    var kind: Kind { get }
}

extension Finding: Sampled {
    enum Kind: CaseIterable {
        case archive, passMissing, pass, manifestMissing, manifest, signatureUnreadable,
            signatureOverLimit, unsigned, fileDiffers, fileMissing, fileNotListed,
            moreFiles, signatureMismatch, signatureCanonicalised, signatureWithoutSigner,
            signerCertificateMissing, attachedContentDiffers, severalSigners,
            signatureOfSomethingElse, weakDigest, signingTimeMissing, signingTimeRepeated,
            signingTimeUnreadable, signingTimeInFuture, certificateNotValid,
            noPathToAnchor, anchorNotForPassType, chainInvalid, chainWeakDigest,
            chainUnusualKey, wrongPurpose, weakKey, unusualKey,
            passTypeExtensionMissing, passTypeNotInExtension, passTypeNotInSubject,
            teamNotInSubject, leadingBytes, trailingBytes, localHeaderDiffers, hiddenFile,
            topFolder, imageNameCase, shortKey, keyUsageWithoutSignature,
            manifestEncoding, manifestUpperCase, manifestDuplicateKey, manifestListsItself,
            signatureAttached, certificateExpiredSince, judgedAt, longCombiningRun, oddity,
            stored
    }

    var kind: Kind {
        switch self {
        case .archive: .archive
        case .passMissing: .passMissing
        case .pass: .pass
        case .manifestMissing: .manifestMissing
        case .manifest: .manifest
        case .signatureUnreadable: .signatureUnreadable
        case .signatureOverLimit: .signatureOverLimit
        case .unsigned: .unsigned
        case .fileDiffers: .fileDiffers
        case .fileMissing: .fileMissing
        case .fileNotListed: .fileNotListed
        case .moreFiles: .moreFiles
        case .signatureMismatch: .signatureMismatch
        case .signatureCanonicalised: .signatureCanonicalised
        case .signatureWithoutSigner: .signatureWithoutSigner
        case .signerCertificateMissing: .signerCertificateMissing
        case .attachedContentDiffers: .attachedContentDiffers
        case .severalSigners: .severalSigners
        case .signatureOfSomethingElse: .signatureOfSomethingElse
        case .weakDigest: .weakDigest
        case .signingTimeMissing: .signingTimeMissing
        case .signingTimeRepeated: .signingTimeRepeated
        case .signingTimeUnreadable: .signingTimeUnreadable
        case .signingTimeInFuture: .signingTimeInFuture
        case .certificateNotValid: .certificateNotValid
        case .noPathToAnchor: .noPathToAnchor
        case .anchorNotForPassType: .anchorNotForPassType
        case .chainInvalid: .chainInvalid
        case .chainWeakDigest: .chainWeakDigest
        case .chainUnusualKey: .chainUnusualKey
        case .wrongPurpose: .wrongPurpose
        case .weakKey: .weakKey
        case .unusualKey: .unusualKey
        case .shortKey: .shortKey
        case .keyUsageWithoutSignature: .keyUsageWithoutSignature
        case .passTypeExtensionMissing: .passTypeExtensionMissing
        case .passTypeNotInExtension: .passTypeNotInExtension
        case .passTypeNotInSubject: .passTypeNotInSubject
        case .teamNotInSubject: .teamNotInSubject
        case .leadingBytes: .leadingBytes
        case .trailingBytes: .trailingBytes
        case .localHeaderDiffers: .localHeaderDiffers
        case .hiddenFile: .hiddenFile
        case .topFolder: .topFolder
        case .imageNameCase: .imageNameCase
        case .manifestEncoding: .manifestEncoding
        case .manifestUpperCase: .manifestUpperCase
        case .manifestDuplicateKey: .manifestDuplicateKey
        case .manifestListsItself: .manifestListsItself
        case .signatureAttached: .signatureAttached
        case .certificateExpiredSince: .certificateExpiredSince
        case .judgedAt: .judgedAt
        case .longCombiningRun: .longCombiningRun
        case .oddity: .oddity
        case .stored: .stored
        }
    }
}

extension Oddity: Sampled {
    enum Kind: CaseIterable {
        case utf16, byteOrderMark, json, missingKey, missingFieldKey, missingBarcodeMessage,
            missingStyle, missingIcon, formatVersion, severalStyles, serialNumberNotString,
            wrongType,
            numberAsString, booleanAsNumber, booleanAsString, invalidColor,
            hexadecimalColor, invalidURL, invalidDate, dateForm, unknownValue,
            tooManyFields, tooManyEvents, duplicateFieldKey, tooManyLocations, tooManyBeacons,
            invalidLocation, invalidBeacon, unsupportedBarcode, barcodeEncoding,
            barcodeNotInEncoding,
            tooManyLanguages, stringsTooLarge, stringsTooManyEntries, strings
    }

    var kind: Kind {
        switch self {
        case .utf16: .utf16
        case .byteOrderMark: .byteOrderMark
        case .json: .json
        case .missingKey: .missingKey
        case .missingFieldKey: .missingFieldKey
        case .missingBarcodeMessage: .missingBarcodeMessage
        case .missingStyle: .missingStyle
        case .missingIcon: .missingIcon
        case .formatVersion: .formatVersion
        case .severalStyles: .severalStyles
        case .serialNumberNotString: .serialNumberNotString
        case .wrongType: .wrongType
        case .numberAsString: .numberAsString
        case .booleanAsNumber: .booleanAsNumber
        case .booleanAsString: .booleanAsString
        case .invalidColor: .invalidColor
        case .hexadecimalColor: .hexadecimalColor
        case .invalidURL: .invalidURL
        case .invalidDate: .invalidDate
        case .dateForm: .dateForm
        case .unknownValue: .unknownValue
        case .tooManyFields: .tooManyFields
        case .duplicateFieldKey: .duplicateFieldKey
        case .tooManyEvents: .tooManyEvents
        case .tooManyLocations: .tooManyLocations
        case .tooManyBeacons: .tooManyBeacons
        case .invalidLocation: .invalidLocation
        case .invalidBeacon: .invalidBeacon
        case .unsupportedBarcode: .unsupportedBarcode
        case .barcodeEncoding: .barcodeEncoding
        case .barcodeNotInEncoding: .barcodeNotInEncoding
        case .tooManyLanguages: .tooManyLanguages
        case .stringsTooLarge: .stringsTooLarge
        case .stringsTooManyEntries: .stringsTooManyEntries
        case .strings: .strings
        }
    }
}

extension StringsOddity: Sampled {
    enum Kind: CaseIterable {
        case damagedPropertyList, strayText, missingEqualsSign, missingText, unterminatedText,
            missingSemicolon,
            duplicateKey, unescapedQuote, invalidUTF8, longCombiningRun
    }

    var kind: Kind {
        switch self {
        case .damagedPropertyList: .damagedPropertyList
        case .strayText: .strayText
        case .missingEqualsSign: .missingEqualsSign
        case .missingText: .missingText
        case .unterminatedText: .unterminatedText
        case .missingSemicolon: .missingSemicolon
        case .duplicateKey: .duplicateKey
        case .unescapedQuote: .unescapedQuote
        case .invalidUTF8: .invalidUTF8
        case .longCombiningRun: .longCombiningRun
        }
    }
}

extension ManifestError: Sampled {
    enum Kind: CaseIterable {
        case notText, syntax, notAString, contradiction, longCombiningRun, tooManyPaths
    }

    var kind: Kind {
        switch self {
        case .notText: .notText
        case .syntax: .syntax
        case .notAString: .notAString
        case .contradiction: .contradiction
        case .longCombiningRun: .longCombiningRun
        case .tooManyPaths: .tooManyPaths
        }
    }
}

extension PassError: Sampled {
    enum Kind: CaseIterable {
        case notJSON, notAnObject, missingIdentity, longCombiningRun, notUnicode, overLimit
    }

    var kind: Kind {
        switch self {
        case .notJSON: .notJSON
        case .notAnObject: .notAnObject
        case .missingIdentity: .missingIdentity
        case .longCombiningRun: .longCombiningRun
        case .notUnicode: .notUnicode
        case .overLimit: .overLimit
        }
    }
}

extension ChainFault: Sampled {
    enum Kind: CaseIterable {
        case outOfMemory, noAnchor, openSSL
    }

    var kind: Kind {
        switch self {
        case .outOfMemory: .outOfMemory
        case .noAnchor: .noAnchor
        case .openSSL: .openSSL
        }
    }
}

extension ZipError: Sampled {
    enum Kind: CaseIterable {
        case notAnArchive, cutOff, archiveTooLarge, tooManyEntries, directoryTooLarge,
            damagedDirectory, damagedEntry, entryTooLarge, totalTooLarge, ratioTooHigh,
            encrypted, unsupportedCompression, duplicateName, unsafeName, symbolicLink,
            overlap, otherName, hiddenEntry, file
    }

    var kind: Kind {
        switch self {
        case .notAnArchive: .notAnArchive
        case .cutOff: .cutOff
        case .archiveTooLarge: .archiveTooLarge
        case .tooManyEntries: .tooManyEntries
        case .directoryTooLarge: .directoryTooLarge
        case .damagedDirectory: .damagedDirectory
        case .damagedEntry: .damagedEntry
        case .entryTooLarge: .entryTooLarge
        case .totalTooLarge: .totalTooLarge
        case .ratioTooHigh: .ratioTooHigh
        case .encrypted: .encrypted
        case .unsupportedCompression: .unsupportedCompression
        case .duplicateName: .duplicateName
        case .unsafeName: .unsafeName
        case .symbolicLink: .symbolicLink
        case .overlap: .overlap
        case .otherName: .otherName
        case .hiddenEntry: .hiddenEntry
        case .file: .file
        }
    }
}

extension CMSError: Sampled {
    enum Kind: CaseIterable {
        case notAMessage, damaged, noContent, encrypted, unsupported, contentTooLarge,
            tooDeep, file
    }

    var kind: Kind {
        switch self {
        case .notAMessage: .notAMessage
        case .damaged: .damaged
        case .noContent: .noContent
        case .encrypted: .encrypted
        case .unsupported: .unsupported
        case .contentTooLarge: .contentTooLarge
        case .tooDeep: .tooDeep
        case .file: .file
        }
    }
}

extension TrustFolderError: Sampled {
    enum Kind: CaseIterable {
        case folder, certificate, unknown, ambiguous, shared
    }

    var kind: Kind {
        switch self {
        case .folder: .folder
        case .certificate: .certificate
        case .unknown: .unknown
        case .ambiguous: .ambiguous
        case .shared: .shared
        }
    }
}

extension Check.Fact: Sampled {
    enum Kind: CaseIterable {
        case archive, pass, manifest, filesMatch, signatureVerifies, signed, anchored,
            certificateForPasses, certificateFor, certificateOf, keysPresent, iconPresent
    }

    var kind: Kind {
        switch self {
        case .archive: .archive
        case .pass: .pass
        case .manifest: .manifest
        case .filesMatch: .filesMatch
        case .signatureVerifies: .signatureVerifies
        case .signed: .signed
        case .anchored: .anchored
        case .certificateForPasses: .certificateForPasses
        case .certificateFor: .certificateFor
        case .certificateOf: .certificateOf
        case .keysPresent: .keysPresent
        case .iconPresent: .iconPresent
        }
    }
}

extension BarcodeError: Sampled {
    enum Kind: CaseIterable {
        case empty, tooLong, unencodable, notThirteenDigits, wrongCheckDigit, refused
    }

    var kind: Kind {
        switch self {
        case .empty: .empty
        case .tooLong: .tooLong
        case .unencodable: .unencodable
        case .notThirteenDigits: .notThirteenDigits
        case .wrongCheckDigit: .wrongCheckDigit
        case .refused: .refused
        }
    }
}
