import Foundation
import PassSigning
import PassVerification
import Testing

@Suite(
    "Real passes that Wallet accepts have few errors",
    .enabled(if: GenuinePasses.exists, "no genuine passes beside this checkout"))
struct CorpusLintTests {
    /// The mistakes of trusted passes, determined by reading them.
    private static let known: [String: Set<String>] = [
        "183be564": ["intermediate-wrong"], "3761e1be": ["intermediate-wrong"],
        "1e05f134": ["misspelt-file"], "380b33bb": ["duplicate-field-key"],
        "850f7ace": ["missing-key", "intermediate-missing"],
    ]

    @Test("file by file", arguments: GenuinePasses.files)
    func errors(file: String) throws {
        let bytes = [UInt8](try Data(contentsOf: GenuinePasses.folder.appending(path: file)))
        let packed = PackedPass(bytes)
        let errors = Set(
            PassLint(packed).findings.filter { $0.severity == .error }.map(\.fault.rule))
        if packed.verification.verdict == .trusted {
            #expect(errors == Self.known[String(file.prefix(8)), default: []])
        } else {
            #expect(!errors.isEmpty)
        }
    }
}

private enum GenuinePasses {
    static let folder = URL(filePath: #filePath)
        .appending(path: "../../../../../shared/corpus/passes").standardizedFileURL

    static var exists: Bool {
        FileManager.default.fileExists(atPath: folder.path(percentEncoded: false))
    }

    static var files: [String] {
        let names = try? FileManager.default.contentsOfDirectory(
            atPath: folder.path(percentEncoded: false))
        return (names ?? []).filter { $0.hasSuffix(".pkpass") }.sorted()
    }
}
