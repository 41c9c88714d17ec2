import PassFixtures
import PassVerification
import Testing

@Suite("What Wallet refuses is reported beside the verdict")
struct WalletRefusalTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let codes: [String]
        let change: @Sendable (inout TestPass) -> Void

        init(
            _ name: String, _ codes: [String] = [],
            _ change: @escaping @Sendable (inout TestPass) -> Void = { _ in }
        ) {
            (testDescription, self.codes, self.change) = (name, codes, change)
        }
    }

    @Test("a trusted pass has the codes of what Wallet refuses", arguments: rows)
    func refusals(row: Row) throws {
        var pass = TestPass()
        row.change(&pass)
        let verification = try PassVerifier.ofTests().verify(try pass.make().bytes)
        #expect(verification.verdict == .trusted)
        #expect(verification.notes.walletRefusalCodes == row.codes)
        #expect(verification.walletRefusals.map(\.code) == row.codes)
    }

    private static let rows = [
        Row("nothing odd"),
        Row("no icon", ["missing-icon"]) { $0.files.remove(at: 1) },
        Row("only a large icon") { $0.files[1].name = "icon@2x.png" },
        Row("only an icon in capitals", ["missing-icon"]) { $0.files[1].name = "Icon.png" },
        Row("a style that is no object", ["missing-style"]) {
            $0.files[0].text.replace("\"generic\": {}", with: "\"generic\": \"x\"")
        },
        Row("formatVersion 1.1", ["missing-key"]) {
            $0.files[0].text.replace("\"formatVersion\": 1", with: "\"formatVersion\": 1.1")
        },
        Row("no style", ["missing-style"]) {
            $0.files[0].text.replace("\"generic\"", with: "\"unknown\"")
        },
        Row("formatVersion 2", ["format-version"]) {
            $0.files[0].text.replace("\"formatVersion\": 1", with: "\"formatVersion\": 2")
        },
        Row("no formatVersion", ["missing-key"]) {
            $0.files[0].text.replace("formatVersion", with: "version")
        },
        Row("no organizationName", ["missing-key"]) {
            $0.files[0].text.replace("organizationName", with: "organization")
        },
        Row("an empty description", ["missing-key"]) {
            $0.files[0].text.replace("\"A sample\"", with: "\"\"")
        },
        Row("a boarding pass without transitType", ["missing-key"]) {
            $0.files[0].text.replace("\"generic\"", with: "\"boardingPass\"")
        },
        Row("a comment", ["json-comment"]) { $0.files[0].text += "// made by hand" },
        Row("a trailing comma") { $0.files[0].text.replace("{}", with: "{},") },
        Row("one key for two fields", ["duplicate-field-key"]) {
            $0.files[0].text.replace(
                "{}",
                with: """
                    {"headerFields": [{"key": "a", "value": 1}],
                     "backFields": [{"key": "a", "value": 2}]}
                    """)
        },
        Row("a folder around everything", ["top-folder"]) {
            $0.edit = "e = [('Sample.pass/' + n, b) for n, b in e]"
        },
        Row("an RSA key of 1,024 bits", ["weak-key"]) { $0.signers = ["80-bits"] },
        Row("an RSA key of 2,047 bits", ["weak-key"]) { $0.signers = ["rsa-2047"] },
        Row("an RSA key of 2,048 bits") { $0.signers = ["rsa"] },
        Row("a key that may not sign", ["key-usage-without-signature"]) {
            $0.signers = ["not-for-signing"]
        },
        Row("a key that may sign") { $0.signers = ["for-signing"] },
        Row("more oddities than are stored", ["format-version", "missing-icon"]) {
            $0.files.remove(at: 1)
            $0.files[0].text.replace("\"formatVersion\": 1", with: "\"formatVersion\": 3")
            let fields = (0..<2000).map { #"{"key": "\#($0)", "value": "1", "dateStyle": "x"}"# }
            $0.files[0].text.replace(
                "{}", with: "{\"backFields\": [\(fields.joined(separator: ","))]}")
        },
    ]
}
