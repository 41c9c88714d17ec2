import Glibc
import PassVerification
import Platform
import Testing

@testable import PassPresentation
@testable import PassSigning

@Suite("Failures of signing have a message")
struct SigningPhrasesTests {
    /// Of a sample of each case.
    private static let errors: [Phrase] =
        SigningError.samples.map(\.phrase) + SigningIdentityError.allCases.map(\.phrase)
        + SigningFolderError.samples.map(\.phrase) + PassFolderError.samples.map(\.phrase)
        + PassBundleError.samples.map(\.phrase) + RowFileError.samples.map(\.phrase)
        + RowFault.samples.map(\.phrase) + ImageFault.samples.map(\.phrase)
        + TemplateError.samples.map(\.phrase) + PlaceholderFault.samples.map(\.phrase)
        + OutputNameError.samples.map(\.phrase) + RowError.samples.map(\.phrase)
        + PassWriteError.samples.map(\.phrase)

    @Test("in every catalogue", arguments: PortableCatalogue.all)
    func catalogues(catalogue: PortableCatalogue) {
        catalogue.expect(Self.errors)
    }

    @Test("each is a clause with all its values")
    func clauses() {
        for phrase in Self.errors {
            // Examples of placeholders are the only braces.
            let text = phrase.english.replacing(/\{\{[a-zA-Z:]+\??\}\}/, with: "")
            #expect(!text.isEmpty && !text.contains("{") && !text.hasSuffix("."))
        }
    }

    @Test(
        "bad rows in English",
        arguments: [
            (RowFault.fieldCount(expected: 3, found: 1), "the row has 1 value instead of 3"),
            (.fieldCount(expected: 1, found: 3), "the row has 3 values instead of 1"),
            (.tooLong(limit: 1 << 20), "longer than 1 MiB"),
            (
                .missing(column: "seat"),
                "no value for 'seat': write {{seat?}} in the template if it may be missing"
            ),
            (
                .image(column: "strip.png", path: "pictures/a.png", .outside),
                "pictures/a.png cannot be used as strip.png: "
                    + "the path must not leave the folder of the data"
            ),
            (
                .repeatedSerialNumber("7", firstLine: 2),
                "line 2 already has the serial number '7'"
            ),
        ])
    func rows(fault: RowFault, text: String) {
        #expect(fault.phrase.english == text)
    }

    @Test(
        "unusable templates in English",
        arguments: [
            (
                TemplateError.missingColumns(["seat"]),
                "the data lacks 1 column of the template: seat"
            ),
            (
                .missingColumns(["gate", "seat"]),
                "the data lacks 2 columns of the template: gate, seat"
            ),
            (
                .placeholder(.unknownKind("integer"), file: "pass.json", line: 4),
                "pass.json, line 4: "
                    + "':integer' in a placeholder is neither ':number' nor ':boolean'"
            ),
            (
                .placeholder(.notQuoted, file: "pass.json", line: 4),
                "pass.json, line 4: a placeholder is not in quotes: "
                    + "write \"{{name:number}}\" for a number"
            ),
        ])
    func templates(error: TemplateError, text: String) {
        #expect(error.phrase.english == text)
    }

    @Test("a wrong password, a file without key and the key of another certificate differ")
    func identities() {
        let phrases = SigningIdentityError.allCases.map(\.phrase.english)
        #expect(Set(phrases).count == phrases.count)
        #expect(SigningIdentityError.wrongPassword.phrase.english == "the password is wrong")
        #expect(
            SigningIdentityError.noKey.phrase.english
                == "there is no private key in it: export the certificate together with its key")
        #expect(
            SigningIdentityError.keyOfOtherCertificate.phrase.english
                == "the key does not belong to the certificate")
    }

    @Test("the mistakes of a row are listed with file, key and remedy")
    func mistakes() {
        let error = RowError.mistakes([
            LintFinding(.missingKey("value"), in: "pass.json", key: "generic.backFields[0]"),
            LintFinding(.notAPNG, in: "logo.png"),
        ])
        #expect(
            error.phrase.english
                == "pass.json: generic.backFields[0]: the key 'value' is missing; add 'value'; "
                + "logo.png: the image is a JPEG, not a PNG; save the image as PNG")
    }

    @Test("a signed pass that is not accepted is described by its findings")
    func notTrusted() {
        #expect(
            SigningError.notTrusted([.unsigned, .wrongPurpose]).phrase.english
                == "the signed pass would not be trusted: "
                + [Finding.unsigned, .wrongPurpose].map(\.phrase.english).joined(separator: "; "))
        let strange = Finding.noPathToAnchor(certificate: "Ana", issuer: "CN=Example")
        #expect(
            SigningError.notTrusted([strange]).phrase.english
                == "the signed pass would not be trusted: \(strange.phrase.english); "
                + "trust an authority of your own with --trust-root or `passconduit trust add`")
    }

    @Test("an existing file is named as such, with the option that overwrites it")
    func existing() {
        #expect(
            PassWriteError.file(FileError(.create, EEXIST)).phrase.english
                == "already exists: --force overwrites it")
        #expect(
            PassWriteError.file(FileError(.write, ENOSPC)).phrase.english
                == "cannot write: no space left on device")
    }
}
