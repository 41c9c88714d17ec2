import Archives
import Barcodes
import Cryptography
import Foundation
import PassModel
import PassPresentation
import PassVerification
import Platform
import Testing

@Suite("Every result of verification has a message, in English and in every catalogue")
struct VerificationPhrasesTests {
    private static let date = Date(timeIntervalSince1970: 1_700_000_000)

    private static let zipErrors: [ZipError] =
        [
            .notAnArchive, .cutOff, .archiveTooLarge(limit: 7), .tooManyEntries(count: 9, limit: 7),
            .directoryTooLarge(limit: 7), .damagedDirectory(.severalDirectories),
            .damagedDirectory(.libzip("Seek error")),
            .damagedEntry(name: "a", .missingHeader),
            .damagedEntry(name: "a", .overlapsDirectory),
            .damagedEntry(name: "a", .wrongSize(count: 7, declared: 9)),
            .damagedEntry(name: "a", .libzip("CRC error")), .entryTooLarge(name: "a", limit: 7),
            .totalTooLarge(limit: 7), .ratioTooHigh(name: "a", limit: 7), .encrypted(name: "a"),
            .unsupportedCompression(name: "a"), .duplicateName("a"), .symbolicLink(name: "a"),
            .overlap(name: "a", other: "b"), .otherName("a", "b"),
            .hiddenEntry(name: "a"),
            .file(FileError(.read, 5)),
        ] + ZipError.UnsafeName.allCases.map { .unsafeName("a", $0) }

    private static let passErrors: [PassError] =
        [
            .missingIdentity("serialNumber"), .longCombiningRun("serialNumber"),
            .notUnicode("serialNumber"), .overLimit("jsonDepth", 100),
        ] + JSONFault.allCases.map { .notJSON($0, line: 2, column: 3) }
        + JSONKind.allCases.map { .notAnObject($0) }

    private static let manifestErrors: [ManifestError] =
        [
            .notText, .notAString(path: "a"), .contradiction(path: "a"), .longCombiningRun,
            .tooManyPaths(limit: 7),
        ] + ManifestSyntax.allCases.map { .syntax($0, offset: 3) }

    private static let chainFaults: [ChainFault] = [
        .outOfMemory, .noAnchor, .openSSL(reason: "path length exceeded", certificate: "A"),
        .openSSL(reason: "path length exceeded", certificate: nil),
    ]

    private static let stringsOddities: [StringsOddity] = [
        .damagedPropertyList, .strayText, .missingEqualsSign(key: "a"), .missingText(key: "a"),
        .unterminatedText,
        .missingSemicolon(key: "a"), .duplicateKey("a"), .unescapedQuote, .invalidUTF8,
        .longCombiningRun,
    ]

    private static let place = Oddity.Place.field("gate")

    static let oddities: [Oddity] =
        [
            .utf16, .byteOrderMark, .missingKey("description"),
            .missingFieldKey("value", place: place),
            .missingBarcodeMessage(place: .object("barcode")), .missingStyle, .missingIcon,
            .formatVersion(2),
            .severalStyles([.coupon, .generic]), .serialNumberNotString,
            .wrongType(key: "a", place: place, found: .string, expected: .arrayOfObjects),
            .numberAsString(key: "a", place: place), .booleanAsNumber(key: "a", place: place),
            .booleanAsString(key: "a", place: place),
            .invalidColor(key: "a", place: place, text: "b"),
            .hexadecimalColor(key: "a", place: place),
            .invalidURL(key: "a", place: place, text: "b"),
            .invalidDate(key: "a", place: place, text: "b"),
            .dateForm(key: "a", place: place, text: "b"),
            .unknownValue(key: "a", place: place, text: "b"),
            .tooManyFields(group: "backFields", limit: 7), .duplicateFieldKey("a"),
            .tooManyEvents(limit: 50), .tooManyLocations, .tooManyBeacons,
            .invalidLocation(place: place),
            .invalidBeacon(place: place, text: "b"),
            .unsupportedBarcode(place: place, format: "b"),
            .barcodeEncoding(place: place, name: "b"),
            .barcodeNotInEncoding(place: place, name: "b"), .tooManyLanguages(file: "a"),
            .stringsTooLarge(file: "a", limit: 7), .stringsTooManyEntries(file: "a"),
        ] + JSONOddity.allCases.map { .json($0, line: 2) }
        + stringsOddities.map { .strings($0, file: "de.lproj/pass.strings") }

    static let findings: [Finding] =
        [
            .passMissing, .manifestMissing, .signatureUnreadable, .unsigned,
            .fileDiffers(path: "a"), .fileMissing(path: "a"), .fileNotListed(path: "a"),
            .moreFiles(.differs, count: 7), .signatureMismatch, .signatureCanonicalised,
            .signatureWithoutSigner, .signerCertificateMissing, .attachedContentDiffers,
            .severalSigners, .signatureOfSomethingElse, .weakDigest("MD5"), .signingTimeMissing,
            .signingTimeRepeated, .signingTimeUnreadable, .signingTimeInFuture(date),
            .certificateNotValid(name: "A", from: date, to: date, at: date),
            .noPathToAnchor(certificate: "A", issuer: "B"),
            .anchorNotForPassType(anchor: "A", passType: "pass.b"),
            .chainWeakDigest(certificate: "A"), .chainUnusualKey(certificate: "A", key: "DSA"),
            .wrongPurpose, .weakKey(bits: 7), .unusualKey("DSA"),
            .passTypeExtensionMissing,
            .passTypeNotInExtension(passType: "a", named: nil),
            .passTypeNotInExtension(passType: "a", named: "b"),
            .passTypeNotInSubject(passType: "a", named: []),
            .teamNotInSubject(team: "a", named: ["b", "c"]), .leadingBytes(count: 7),
            .trailingBytes(count: 7), .topFolder(name: "a"),
            .localHeaderDiffers(path: "a"), .hiddenFile(path: "a"), .shortKey(bits: 1024),
            .keyUsageWithoutSignature, .imageNameCase(name: "Icon.png"),
            .manifestUpperCase, .manifestDuplicateKey, .manifestListsItself,
            .signatureAttached, .certificateExpiredSince(date), .judgedAt(date),
            .longCombiningRun, .stored(code: "a", detail: ""),
            .stored(code: "file-differs", detail: "b differs"),
        ] + zipErrors.map { .archive(ArchiveFault($0)) } + passErrors.map { .pass($0) }
        + manifestErrors.map { .manifest($0) } + chainFaults.map { .chainInvalid($0) }
        + SignaturePart.allCases.map { .signatureOverLimit($0, limit: 7) }
        + ManifestEncoding.allCases.map { .manifestEncoding($0) } + oddities.map { .oddity($0) }

    private static let facts: [Check.Fact] = [
        .archive(files: 7), .pass(serialNumber: "1", passType: "pass.a"), .manifest(files: 7),
        .filesMatch, .signatureVerifies, .signed(at: date), .anchored(to: "A"),
        .certificateForPasses, .certificateFor(passType: "pass.a"), .certificateOf(team: "T"),
        .keysPresent, .iconPresent,
    ]

    private static let messageErrors: [CMSError] = [
        .notAMessage, .damaged(offset: 7), .noContent, .encrypted, .unsupported("a"),
        .contentTooLarge(limit: 7), .tooDeep(limit: 7), .file(FileError(.read, 5)),
    ]

    private static let folderErrors: [TrustFolderError] =
        [
            .folder(FolderFault(FileError(.read, 20))), .unknown("a"), .ambiguous("a", ["b", "c"]),
            .shared("a"),
        ]
        + TrustAnchorError.allCases.map { .certificate($0) }

    private static let barcodeErrors: [BarcodeError] =
        [.empty, .notThirteenDigits, .wrongCheckDigit]
        + BarcodeFormat.allCases.flatMap { format -> [BarcodeError] in
            [.tooLong(format, octets: 7), .unencodable(format), .refused(format, code: 5)]
        }

    private static func expectAll<Value: Sampled>(_ samples: [Value]) {
        #expect(Set(samples.map(\.kind)) == Set(Value.Kind.allCases))
    }

    @Test("there is a sample of each case")
    func complete() {
        Self.expectAll(Self.findings)
        Self.expectAll(Self.oddities)
        Self.expectAll(Self.stringsOddities)
        Self.expectAll(Self.manifestErrors)
        Self.expectAll(Self.passErrors)
        Self.expectAll(Self.chainFaults)
        Self.expectAll(Self.zipErrors)
        Self.expectAll(Self.messageErrors)
        Self.expectAll(Self.folderErrors)
        Self.expectAll(Self.facts)
        Self.expectAll(Self.barcodeErrors)
    }

    @Test("each sample is translated", arguments: PortableCatalogue.all)
    func translated(catalogue: PortableCatalogue) {
        catalogue.expect(Self.findings.map(\.phrase))
        catalogue.expect(Self.messageErrors.map(\.phrase))
        catalogue.expect(Self.folderErrors.map(\.phrase))
        catalogue.expect(PassTypePatternError.allCases.map(\.phrase))
        catalogue.expect(Self.facts.map(\.phrase))
        catalogue.expect(Self.barcodeErrors.map(\.phrase))
        catalogue.expect(Check.Name.allCases.flatMap { [$0.phrase, $0.advice] })
        catalogue.expect(Check.Obstacle.allCases.map(\.phrase))
    }

    @Test("every placeholder has a value")
    func filled() {
        let phrases =
            Self.findings.map(\.phrase) + Self.messageErrors.map(\.phrase)
            + Self.folderErrors.map(\.phrase) + Self.facts.map(\.phrase)
            + Self.barcodeErrors.map(\.phrase)
        #expect(phrases.filter { $0.english.isEmpty || $0.english.contains("{") } == [])
    }

    @Test(
        "findings in English",
        arguments: [
            (
                Finding.fileDiffers(path: "logo.png"),
                "logo.png differs from its hash in the manifest"
            ),
            (.moreFiles(.notListed, count: 5), "and 5 more"),
            (.archive(ArchiveFault(.notAnArchive)), "not a ZIP archive"),
            (
                .archive(ArchiveFault(.damagedEntry(name: "a", .wrongSize(count: 3, declared: 4)))),
                "a cannot be read: it has 3 bytes, but 4 are declared"
            ),
            (
                .archive(ArchiveFault(.unsafeName("../a", .parent))),
                "the name '../a' has an empty, '.' or '..' component"
            ),
            (
                .pass(.notJSON(.missingColon, line: 2, column: 7)),
                "pass.json is not JSON: a colon is missing at line 2, column 7"
            ),
            (.pass(.notAnObject(.array)), "pass.json holds a list instead of an object"),
            (
                .manifest(.syntax(.commaOrClosingBrace, offset: 12)),
                "manifest.json cannot be read: a comma or the closing brace is missing at byte 12"
            ),
            (
                .signatureOverLimit(.certificates, limit: 32),
                "the signature has more than 32 certificates"
            ),
            (
                .certificateNotValid(
                    name: "Pass Type ID: pass.a", from: date, to: date, at: date),
                "the certificate 'Pass Type ID: pass.a' is valid from 2023-11-14 to 2023-11-14, and not on 2023-11-14"
            ),
            (
                .chainInvalid(
                    .openSSL(reason: "path length constraint exceeded", certificate: "A")),
                "the certificate chain is not valid: A: path length constraint exceeded"
            ),
            (
                .wrongPurpose,
                "the certificate is not for passes: its extended key usage lacks 1.2.840.113635.100.4.14"
            ),
            (
                .passTypeNotInSubject(passType: "pass.a", named: []),
                "the pass type identifier is 'pass.a', and the certificate names nothing in its subject"
            ),
            (
                .teamNotInSubject(team: "A", named: ["B", "C"]),
                "the team identifier is 'A', and the certificate names B, C"
            ),
            (.leadingBytes(count: 1), "there is 1 byte before the archive"),
            (.trailingBytes(count: 2), "there are 2 bytes after the archive"),
            (.imageNameCase(name: "Icon.png"), "Wallet looks for 'icon.png', not 'Icon.png'"),
            (.stored(code: "file-differs", detail: "a differs"), "a differs"),
            (
                .stored(code: "later", detail: ""), "another version of this program found later"
            ),
        ])
    func english(finding: Finding, text: String) {
        #expect(finding.phrase.english == text)
    }

    @Test(
        "oddities in English",
        arguments: [
            (Oddity.missingKey("description"), "Pass dictionary must contain key 'description'"),
            (
                .wrongType(key: "row", place: .field("gate"), found: .string, expected: .number),
                "field 'gate': 'row' is text instead of a number"
            ),
            (
                .json(.trailingComma, line: 3),
                "pass.json: a comma before a closing bracket at line 3"
            ),
            (
                .invalidColor(key: "labelColor", place: .object("pass.json"), text: "blue"),
                "pass.json: 'labelColor' is not a colour: blue"
            ),
            (
                .missingStyle,
                "Pass dictionary must contain one of the keys 'boardingPass', 'coupon', 'eventTicket', 'generic', 'storeCard', 'posterGeneric'"
            ),
            (
                .barcodeNotInEncoding(place: .object("barcodes[0]"), name: "koi8-r"),
                "barcodes[0]: the message has characters that 'koi8-r' lacks, it is drawn in UTF-8"
            ),
            (
                .strings(.missingSemicolon(key: "a"), file: "de.lproj/pass.strings"),
                "de.lproj/pass.strings: no ; after 'a'"
            ),
        ])
    func english(oddity: Oddity, text: String) {
        #expect(oddity.phrase.english == text)
    }

    @Test("a failed check says what was found, and what the issuer can do")
    func failed() {
        let check = Check(.files, .failed([.fileDiffers(path: "a"), .fileMissing(path: "b")]))
        #expect(
            check.phrase.english
                == "a differs from its hash in the manifest; b is in the manifest, but not in the pass (create manifest.json last, from the files exactly as they go into the archive, and list all files except manifest.json and signature)"
        )
        #expect(check.name.phrase.english == "files")
    }

    @Test("a recipient is not told how to make archives if one is cut off")
    func cutOff() {
        let check = Check(.archive, .failed([.archive(ArchiveFault(.cutOff))]))
        #expect(
            check.phrase.english
                == "the archive is cut off: its end is missing (fetch the pass again, or ask its sender for it)"
        )
    }

    @Test("a passed check says what was found, and a skipped one why it was skipped")
    func passed() {
        let passed = Check(.archive, .passed(.archive(files: 1)))
        #expect(passed.phrase.english == "a valid ZIP archive of 1 file")
        let skipped = Check(.chain, .skipped(.noSigningTime))
        #expect(skipped.phrase.english == "skipped: no signing time to validate at")
    }

    @Test("an unreadable file is named")
    func unreadable() {
        let error = #expect(throws: UnreadableFile.self) {
            try PassVerifier().verify(contentsOf: URL(filePath: "/nonexistent"))
        }
        #expect(
            error?.phrase.english == "/nonexistent: cannot open: no such file or directory")
    }

    @Test(
        "why a barcode is not drawn",
        arguments: [
            (BarcodeError.empty, "the message is empty"),
            (
                .tooLong(.pdf417, octets: 5000), "a message of 5000 bytes is too long for PDF417"
            ),
            (
                .unencodable(.code39),
                "Code 39 allows only digits, capital letters, spaces and -.$/+%"
            ),
            (.unencodable(.interleaved2of5), "Interleaved 2 of 5 allows only digits"),
        ])
    func barcode(error: BarcodeError, text: String) {
        #expect(error.phrase.english == text)
    }
}
