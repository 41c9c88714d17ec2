import PassPresentation
import PassSigning
import Testing

@testable import ServiceCommands

@Suite("Errors of certificates name options that passconduit-serve has")
struct SigningFolderErrorTests {
    /// Without that of a PIN, which no file contains.
    @Test(arguments: SigningIdentityError.allCases.filter { $0 != .pinInURI })
    func identities(error: SigningIdentityError) {
        let words = SigningFolderError.identity(error).servicePhrase.english
        #expect(!words.contains("--"), "\(words)")
    }

    @Test func missing() {
        let words = SigningFolderError.noCertificate(passType: "pass.example").servicePhrase.english
        #expect(words.contains("pass.example") && !words.contains("--"), "\(words)")
    }
}
