import Glibc
import PassModel
import PassVerification
import Platform

@testable import PassSigning

private typealias FolderFault = PassSigning.FolderFault

extension SigningError: SampledInTurn {
    static func sample(after last: SigningError?) -> SigningError? {
        switch last {
        case nil: .noPass
        case .noPass: .keyRefused
        case .keyRefused: .outOfMemory
        case .outOfMemory: .notTrusted([.unsigned, .signingTimeMissing])
        case .notTrusted(let findings) where findings.count == 2:
            .notTrusted([.noPathToAnchor(certificate: "Ana", issuer: "CN=Example")])
        case .notTrusted: .refusedByWallet([.oddity(.missingIcon)])
        case .refusedByWallet: nil
        }
    }
}

extension SigningFolderError: SampledInTurn {
    static func sample(after last: SigningFolderError?) -> SigningFolderError? {
        let fault = FolderFault(FileError(.read, EACCES))
        return switch last {
        case nil: .unreadable(fault)
        case .unreadable: .unwritable(fault)
        case .unwritable: .notACertificate
        case .notACertificate: .notForPasses(name: "Ana")
        case .notForPasses: .otherPassType(certificate: "pass.a", wanted: "pass.b")
        case .otherPassType: .otherTeam(certificate: "A1B2C3D4E5", wanted: "F6G7H8I9J0")
        case .otherTeam: .keyMissing
        case .keyMissing: .noCertificate(passType: "pass.a")
        case .noCertificate: .ambiguous("0a")
        case .ambiguous: .badEmailAddress
        case .badEmailAddress: .badName
        case .badName: .badCountry
        case .badCountry: .notGenerated
        case .notGenerated: .identity(.noKey)
        case .identity: nil
        }
    }
}

extension PassFolderError: SampledInTurn {
    static func sample(after last: PassFolderError?) -> PassFolderError? {
        switch last {
        case nil: .notAFolder(path: "a")
        case .notAFolder: .unreadable(path: "logo.png", FolderFault(FileError(.open, EACCES)))
        case .unreadable: .unsafeName(path: "a\\b")
        case .unsafeName: .tooManyEntries(limit: 7)
        case .tooManyEntries: .tooLarge(limit: 64 << 20)
        case .tooLarge: nil
        }
    }
}

extension PassBundleError: SampledInTurn {
    static func sample(after last: PassBundleError?) -> PassBundleError? {
        switch last {
        case nil: .tooManyPasses(limit: 10)
        case .tooManyPasses: .tooLarge(limit: 150_000_000)
        case .tooLarge: .outOfMemory
        case .outOfMemory: nil
        }
    }
}

extension RowFileError: SampledInTurn {
    static func sample(after last: RowFileError?) -> RowFileError? {
        switch last {
        case nil: .unreadable(FolderFault(FileError(.open, ENOENT)))
        case .unreadable: .notAFile
        case .notAFile: .utf16
        case .utf16: .noHeader
        case .noHeader: .noObject
        case .noObject: .badHeader(line: 1, .unclosedQuote)
        case .badHeader: .namelessColumn(number: 2)
        case .namelessColumn: .repeatedColumn("seat")
        case .repeatedColumn: .tooManyColumns(limit: 7)
        case .tooManyColumns: .tooManyRepeats(limit: 7)
        case .tooManyRepeats: nil
        }
    }
}

extension RowFault: SampledInTurn {
    static func sample(after last: RowFault?) -> RowFault? {
        switch last {
        case nil: .tooLong(limit: 1 << 20)
        case .tooLong: .notUTF8
        case .notUTF8: .unclosedQuote
        case .unclosedQuote: .textAfterQuote
        case .textAfterQuote: .loneCarriageReturn
        case .loneCarriageReturn: .fieldCount(expected: 3, found: 2)
        case .fieldCount: .notJSON(byte: 5)
        case .notJSON: .notAnObject
        case .notAnObject: .nested(column: "seat")
        case .nested: .repeatedColumn("seat")
        case .repeatedColumn: .tooManyColumns(limit: 7)
        case .tooManyColumns: .missing(column: "seat")
        case .missing: .notANumber(column: "balance", value: "ten")
        case .notANumber: .notABoolean(column: "voided", value: "no")
        case .notABoolean: .image(column: "strip.png", path: "a.png", .notPNG)
        case .image: .noSerialNumber
        case .noSerialNumber: .longCombiningRun
        case .longCombiningRun: .noName
        case .noName: .nameTooLong(limit: 255)
        case .nameTooLong: .repeatedSerialNumber("1", firstLine: 2)
        case .repeatedSerialNumber: .repeatedName("1.pkpass", firstLine: 2)
        case .repeatedName: nil
        }
    }
}

extension ImageFault: SampledInTurn {
    static func sample(after last: ImageFault?) -> ImageFault? {
        switch last {
        case nil: .absolute
        case .absolute: .outside
        case .outside: .link
        case .link: .notAFile
        case .notAFile: .unreadable(FolderFault(FileError(.open, ENOENT)))
        case .unreadable: .tooLarge(limit: 1 << 20)
        case .tooLarge: .notPNG
        case .notPNG: nil
        }
    }
}

extension TemplateError: SampledInTurn {
    static func sample(after last: TemplateError?) -> TemplateError? {
        switch last {
        case nil: .noPass
        case .noPass: .notUTF8(file: "pass.json")
        case .notUTF8: .notJSON(file: "pass.json", line: 2, column: 3)
        case .notJSON: .tooDeep(file: "pass.json", limit: 100)
        case .tooDeep: .noSerialNumber
        case .noSerialNumber: .placeholder(.notClosed, file: "pass.json", line: 2)
        case .placeholder: .missingColumns(["gate", "seat"])
        case .missingColumns: nil
        }
    }
}

extension PlaceholderFault: SampledInTurn {
    static func sample(after last: PlaceholderFault?) -> PlaceholderFault? {
        switch last {
        case nil: .notClosed
        case .notClosed: .noName
        case .noName: .unknownKind("integer")
        case .unknownKind: .kindInText("balance")
        case .kindInText: .inKey
        case .inKey: .notQuoted
        case .notQuoted: nil
        }
    }
}

extension OutputNameError: SampledInTurn {
    static func sample(after last: OutputNameError?) -> OutputNameError? {
        switch last {
        case nil: .noPlaceholder
        case .noPlaceholder: .placeholder(.noName)
        case .placeholder: .slash
        case .slash: .controlCharacter
        case .controlCharacter: .leadingDot
        case .leadingDot: nil
        }
    }
}

extension RowError: SampledInTurn {
    static func sample(after last: RowError?) -> RowError? {
        switch last {
        case nil: .row(.notUTF8)
        case .row:
            .mistakes([
                LintFinding(.missingKey("value"), in: "pass.json", key: "generic.backFields[0]"),
                LintFinding(.notAPNG, in: "logo.png"),
            ])
        case .mistakes: .signing(.keyRefused)
        case .signing: nil
        }
    }
}

extension PassWriteError: SampledInTurn {
    static func sample(after last: PassWriteError?) -> PassWriteError? {
        switch last {
        case nil: .row(.row(.notUTF8))
        case .row: .file(FileError(.create, EEXIST))
        case .file(let error) where error.code == EEXIST: .file(FileError(.write, ENOSPC))
        case .file: nil
        }
    }
}
