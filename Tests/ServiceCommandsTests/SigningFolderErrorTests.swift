import PassPresentation
import PassSigning
import Testing

@testable import ServiceCommands

@Suite("Certificate errors mention no options of other programs")
struct SigningFolderErrorTests {
    /// Excludes the error for a PIN in a URI, which cannot occur with files.
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
