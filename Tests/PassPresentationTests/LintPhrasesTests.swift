import Barcodes
import PassModel
import PassSigning
import PassVerification
import Testing

@testable import PassPresentation

@Suite("Each mistake of a pass has a message and a remedy")
struct LintPhrasesTests {
    private static let size = PixelSize(width: 38, height: 76)

    /// A sample of each case; the switch makes the compiler ask for one of a new case.
    private static func sample(after last: LintFault?) -> LintFault? {
        switch last {
        case nil: .finding(.passMissing)
        case .finding: .misspeltFile(meant: "icon.png")
        case .misspeltFile: .passInFolder("a")
        case .passInFolder: .strayFile
        case .strayFile: .systemFile
        case .systemFile: .notAFile
        case .notAFile: .notAPNG
        case .notAPNG: .imageUnreadable
        case .imageUnreadable: .imageSize(size, expected: [size, size, size, size])
        case .imageSize: .imageTooLarge(size, most: size)
        case .imageTooLarge: .tooLarge(bytes: 7, limit: 3)
        case .tooLarge: .tooManyPasses(count: 11, limit: 10)
        case .tooManyPasses: .unknownKey("a", meant: nil)
        case .unknownKey(_, nil): .unknownKey("a", meant: "b")
        case .unknownKey: .missingKey("a")
        case .missingKey: .wrongType(found: .number, expected: .string)
        case .wrongType(_, .string): .wrongType(found: .string, expected: .number)
        case .wrongType(_, .number): .wrongType(found: .string, expected: .boolean)
        case .wrongType(_, .boolean): .wrongType(found: .string, expected: .array)
        case .wrongType(_, .array): .wrongType(found: .string, expected: .object)
        case .wrongType: .unknownValue("a", meant: nil)
        case .unknownValue(_, nil): .unknownValue("a", meant: "b")
        case .unknownValue: .nullCharacter
        case .nullCharacter: .outOfRange(least: -90, most: 90)
        case .outOfRange: .invalidColor("a")
        case .invalidColor: .colorForm("a")
        case .colorForm: .invalidDate("a")
        case .invalidDate: .dateForm("a")
        case .dateForm: .invalidURL("a")
        case .invalidURL: .invalidUUID("a")
        case .invalidUUID: .unknownCurrency("a")
        case .unknownCurrency: .repeatedFieldKey("a", first: "b")
        case .repeatedFieldKey: .messageWithoutValue
        case .messageWithoutValue: .insecureURL
        case .insecureURL: .versionInURL
        case .versionInURL: .shortToken(count: 3, least: 16)
        case .shortToken: .missingCounterpart("a")
        case .missingCounterpart: .longMessage(bytes: 65, limit: 64)
        case .longMessage: .lowContrast(tenths: 12)
        case .lowContrast: .barcode(BarcodeFault(.empty))
        case .barcode: .unknownEncoding("a")
        case .unknownEncoding: .notInEncoding("a")
        case .notInEncoding: .schemeOfOtherStyle(scheme: "a", style: .coupon)
        case .schemeOfOtherStyle: .missingSemantics("a", scheme: "b")
        case .missingSemantics: .missingForScheme(["a", "b"], scheme: "c")
        case .missingForScheme(let names, _) where names.count > 1:
            .missingForScheme(["a"], scheme: "c")
        case .missingForScheme: .untranslatedKey("a")
        case .untranslatedKey: .missingTranslation("a", language: "de")
        case .missingTranslation: .intermediateMissing(issuer: "A")
        case .intermediateMissing: .intermediateWrong(issuer: "A", found: ["B", "C"])
        case .intermediateWrong: .repeatedSerialNumber("1")
        case .repeatedSerialNumber:
            .notAVersion(PassIdentity(passTypeIdentifier: "pass.a", serialNumber: "1"))
        case .notAVersion: .changedWithoutMessage
        case .changedWithoutMessage: .moreFindings(count: 7)
        case .moreFindings: nil
        }
    }

    private static let faults = Array(
        sequence(state: nil as LintFault?) { last in
            last = sample(after: last)
            return last
        })

    /// Findings whose remedies differ.
    private static let findings: [Finding] = [
        .pass(.notJSON(.missingColon, line: 1, column: 2)), .pass(.missingIdentity("a")),
        .pass(.overLimit("jsonDepth", 100)), .topFolder(name: "a"), .passTypeExtensionMissing,
        .wrongPurpose, .imageNameCase(name: "Icon.png"), .signatureMismatch,
        .oddity(.byteOrderMark), .oddity(.json(.comment, line: 1)),
        .oddity(.json(.invalidUTF8, line: 1)), .oddity(.json(.loneSurrogate, line: 1)),
        .oddity(.missingKey("a")),
        .oddity(.missingStyle), .oddity(.missingIcon), .oddity(.formatVersion(2)),
        .oddity(.severalStyles([.coupon, .generic])), .oddity(.tooManyBeacons),
        .oddity(.strings(.strayText, file: "a")), .oddity(.tooManyEvents(limit: 3)),
        .oddity(.serialNumberNotString),
        .oddity(.missingFieldKey("value", place: .object("a"))),
    ]

    @Test(
        "in English",
        arguments: [
            (
                .unknownKey("labelColour", meant: "labelColor"),
                "Wallet does not know the key 'labelColour'", "did you mean 'labelColor'?"
            ),
            // A word that looks like the one that was meant.
            (
                .unknownValue("P\u{212A}BarcodeFormatQR", meant: "PKBarcodeFormatQR"),
                "Wallet does not know the value 'P\\u{212A}BarcodeFormatQR'",
                "did you mean 'PKBarcodeFormatQR'?"
            ),
            (
                .imageSize(
                    PixelSize(width: 1, height: 2), expected: [PixelSize(width: 38, height: 38)]),
                "the image has 1 x 2 pixels", "resize it; allowed sizes: 38 x 38"
            ),
            (
                .lowContrast(tenths: 12),
                "hard to read on the background: the contrast is only 1.2:1",
                "choose a lighter or darker colour"
            ),
            (
                .finding(.oddity(.missingFieldKey("value", place: .object("a")))),
                "Field dictionary must contain key 'value'", "add 'value'"
            ),
            (.finding(.passMissing), "there is no pass.json", "add pass.json"),
            (
                .misspeltFile(meant: "icon@2x.png"), "Wallet does not use a file of this name",
                "rename it to icon@2x.png"
            ),
            (
                .tooLarge(bytes: 11 << 20, limit: 10 << 20),
                "the size is 11 MiB, but Wallet accepts at most 10 MiB",
                "use smaller images or fewer passes"
            ),
            (
                .wrongType(found: .string, expected: .boolean),
                "the value is text instead of true or false",
                "write true or false, without quotes"
            ),
            (
                .repeatedFieldKey("gate", first: "boardingPass.headerFields[0]"),
                "the field boardingPass.headerFields[0] already has the key 'gate'",
                "give each field a key of its own"
            ),
            (
                .missingForScheme(["artwork.png", "background.png"], scheme: "posterGeneric"),
                "'posterGeneric' requires one of artwork.png, background.png",
                "add it; otherwise Wallet shows the classic style"
            ),
            (
                .intermediateWrong(issuer: "G4", found: ["G3", "G2"]),
                "the certificate was issued by 'G4', but the signature contains only: G3, G2",
                "include the certificate of 'G4', which is on Apple's site"
            ),
        ] as [(LintFault, String, String)])
    func english(fault: LintFault, problem: String, remedy: String) {
        #expect(fault.phrase.english == problem)
        #expect(fault.remedy.english == remedy)
    }

    @Test("placeholders are filled, and rules have a form that does not change")
    func rules() {
        let all = Self.faults + Self.findings.map { .finding($0) }
        #expect(Self.faults.count > 50)
        for fault in all {
            for text in [fault.phrase.english, fault.remedy.english] {
                #expect(!text.isEmpty)
                #expect(!text.contains("{") && !text.hasSuffix("."))
            }
            #expect(fault.rule.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*/) != nil)
        }
    }

    @Test("in every catalogue", arguments: PortableCatalogue.all)
    func catalogues(catalogue: PortableCatalogue) {
        let all = Self.faults + Self.findings.map { .finding($0) }
        catalogue.expect(all.flatMap { [$0.phrase, $0.remedy] })
    }
}
